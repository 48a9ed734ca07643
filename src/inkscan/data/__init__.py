"""Corpora: samples, the Parquet file that holds them, and how published and own inks become one."""

from inkscan.data.sample import Sample

__all__ = ["Sample"]
