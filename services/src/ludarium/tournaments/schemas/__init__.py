"""Schemas of tournaments in the API."""
