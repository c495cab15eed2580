"""Live tables. Read `model/` in this order: events, hash_chain, table_state, decisions; then service and committed."""
