"""The pure part of a tournament, specified in docs/tournaments.md: integers in, integers out."""
