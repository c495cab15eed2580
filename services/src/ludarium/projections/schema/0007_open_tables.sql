-- no transaction
-- Of all tables few are open, and those are what the lobby is mostly asked for.
create index concurrently tables_open on lobby.tables (listed_at, id) where status = 'open' and visibility = 'public';
