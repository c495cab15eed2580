"""Moderation: acts of moderators, their audit log, and players' reports."""
