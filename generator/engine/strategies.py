"""The ways to choose the next token; imports nothing, so that a command line may name them."""

STRATEGIES = ("greedy", "sample", "top-k", "top-p")
