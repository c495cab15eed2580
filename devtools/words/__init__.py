"""Checks of wording and spelling in texts, docs and docstrings. See docs/decisions/137."""
