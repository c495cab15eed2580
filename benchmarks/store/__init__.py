"""Measure the limit of PostgreSQL and other libraries, for comparison."""
