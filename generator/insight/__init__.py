"""Facts read off a Trace: who gets most and why, what a usual slip would give. No sentences."""
