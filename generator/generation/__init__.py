"""Text, token by token: with the keys and values of earlier tokens kept, or all computed anew."""

from generator.generation.generate import Choice, Generated, generate

__all__ = ["Choice", "Generated", "generate"]
