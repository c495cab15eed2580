"""What waits for a person: one list of notices from tables, invitations, tournaments and moderation."""
