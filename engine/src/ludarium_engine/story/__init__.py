"""The game log: its lines, their texts, and transcripts of whole games."""
