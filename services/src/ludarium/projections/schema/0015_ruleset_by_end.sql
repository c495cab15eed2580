-- no transaction
create index concurrently games_ruleset_by_end on records.games (ruleset, ended, id) where visibility = 'public';
