"""Notices to players, from tables, invitations, tournaments and moderation."""
