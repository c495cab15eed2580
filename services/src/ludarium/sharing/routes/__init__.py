"""HTTP routes of analyses, studies and pictures."""
