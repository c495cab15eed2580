-- no transaction
create index concurrently tables_worth_watching on lobby.tables (coalesce(people, 0), listed_at, id)
  where status = 'playing' and visibility = 'public';
