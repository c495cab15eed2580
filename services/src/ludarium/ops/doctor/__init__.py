"""Whether the settings and what they name can work: each thing looked at is well, doubtful or wrong, with what to do then."""
