"""Training a preset's numbers from a spec that can be repeated: our own gradients, or PyTorch's."""

from generator.training.trainer import GRADIENTS, Listeners, Trained, train

__all__ = ["GRADIENTS", "Listeners", "Trained", "train"]
