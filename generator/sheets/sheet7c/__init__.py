"""Sheet 7c, learning: back through attention, from the loss to one number of W_Q."""

from generator.sheets.kind import Kind

KIND = Kind(order=94, slug="back-through-attention", borrows=("6", "7a"))
