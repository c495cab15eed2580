"""The rules engine, which is deterministic and uses no I/O, clock or global RNG."""
