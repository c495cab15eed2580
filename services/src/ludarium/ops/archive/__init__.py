"""The archive: old games, moved from the log to bundles in a folder or bucket."""
