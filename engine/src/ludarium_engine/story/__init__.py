"""The game log: lines, texts and transcripts of whole games."""
