-- no transaction
create index concurrently tickets_old on entry.tickets (kind, made_at);
