"""The paper's experiments: its tables, what was measured for them and the commands that measure; not in the wheel."""
