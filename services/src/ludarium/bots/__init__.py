"""Bots at tables: who thinks next, in which process, and on what."""
