"""Engine against PyTorch: live in the sweep, frozen in the README tests."""
