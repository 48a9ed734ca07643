"""Bulk recognition: every ink of a folder, archive or corpus to one table, resumable."""
