"""What the house puts its name to: how long a table's log was, which hour knew it, and which rows were lost."""
