"""Reads files that pupils handed in, in processes of their own: such files may be hostile."""
