"""Built-in bots at tables, and the division of their work among processes."""
