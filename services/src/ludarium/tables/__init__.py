"""Live tables: command to event. Read in this order: rows, chain, history, decisions, tables, committed."""
