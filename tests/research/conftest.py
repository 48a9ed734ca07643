"""The tiny models of the runtime's tests."""

from tests.runtime.conftest import model_folder

__all__ = ["model_folder"]
