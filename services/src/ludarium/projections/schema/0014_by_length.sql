-- no transaction
create index concurrently games_by_length on records.games (events, id) where visibility = 'public';
