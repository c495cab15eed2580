"""The game log: its lines, their text in each language, and transcripts of whole games."""
