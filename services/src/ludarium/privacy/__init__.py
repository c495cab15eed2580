"""Personal data: export and deletion."""
