"""The folder of a run: what its files are called."""

LAST = "last.safetensors"  # to go on from
BEST = "best.safetensors"  # of the best validation
METRICS = "metrics.jsonl"
CONFIG = "config.json"
REPORT = "report.html"
