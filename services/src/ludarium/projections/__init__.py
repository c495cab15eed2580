"""Projections: lists and archives computed from the log, which can be rebuilt."""
