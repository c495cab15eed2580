"""The rules of a table: pure functions from its state to events, and back."""
