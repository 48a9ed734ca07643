"""Features: what the networks see of an ink. NumPy only."""

from inkscan.features.batch import FeatureBatch, InkFeatures, ink_features, pad_batch
from inkscan.features.settings import FeatureSettings

__all__ = ["FeatureBatch", "FeatureSettings", "InkFeatures", "ink_features", "pad_batch"]
