"""What `benchmarks/eventstore.py` puts beside the store: PostgreSQL's own limit, and another library."""
