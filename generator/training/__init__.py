"""Training a preset's numbers from a spec that can be repeated."""

from generator.training.trainer import Listeners, Trained, train

__all__ = ["Listeners", "Trained", "train"]
