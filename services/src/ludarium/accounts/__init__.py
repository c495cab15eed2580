"""People: who somebody is, and how they prove it."""
