"""A whole class computes one forward pass: tables, cards, a wall, a word at the end."""
