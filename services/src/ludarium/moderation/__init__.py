"""Moderation: acts of moderators, their audit, and reports of players."""
