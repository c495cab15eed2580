"""Built-in bots at tables: which process computes their answers, and when."""
