"""The HTTP routes of moderation."""
