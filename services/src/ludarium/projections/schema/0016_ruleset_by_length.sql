-- no transaction
create index concurrently games_ruleset_by_length on records.games (ruleset, events, id) where visibility = 'public';
