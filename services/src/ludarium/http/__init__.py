"""Shared by the routes: callers, parameters, rate limits, and encoding of answers."""
