"""Deals that several tables share: events, streams, service, projection and verification."""
