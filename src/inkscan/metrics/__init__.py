"""Scores of predictions: per-sample counts first, then rates with intervals and a signature; no torch."""
