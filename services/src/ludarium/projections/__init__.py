"""What is derived from the log for reading: rebuildable from it at any time."""
