"""Studies with notes on moments, and comments on finished games.

They are not part of any log.
"""
