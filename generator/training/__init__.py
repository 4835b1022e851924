"""Training a preset's numbers with PyTorch (extra `train`), from a spec that can be repeated."""

from generator.training.trainer import Trained, train

__all__ = ["Trained", "train"]
