"""Shared deals: several tables that play the same deal, so that results compare.

Start with `events` and `streams`, then read `service`.
"""
