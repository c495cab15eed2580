"""House time, what a table's clocks say, and what happens when one has run out."""
