"""Training: specs, the file that comes out, and what PyTorch and the engine agree on."""
