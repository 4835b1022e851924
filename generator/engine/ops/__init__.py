"""The operations: each says what its array is and, beside it, what one cell is."""
