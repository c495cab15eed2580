"""HTTP routes of moderation."""
