"""Live tables.

Start with `model/`, in this order: events, hash_chain, table_state, decisions. Then read service and appends.
"""
