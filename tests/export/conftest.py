"""The tiny models and inks of the runtime's tests."""

from tests.runtime.conftest import inks, model_folder

__all__ = ["inks", "model_folder"]
