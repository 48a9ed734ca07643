"""Evaluation of a recogniser on data, and the paper's tables; no torch."""
