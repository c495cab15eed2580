"""The state of a table, and pure functions from it to events and back."""
