"""Portable game records: what a table's log was, for whom, and how anybody can check it without us."""
