-- no transaction
create index concurrently games_by_end on records.games (ended, id) where visibility = 'public';
