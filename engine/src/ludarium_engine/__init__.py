"""The rules engine: pure and deterministic, without I/O, clock or its own source of randomness."""
