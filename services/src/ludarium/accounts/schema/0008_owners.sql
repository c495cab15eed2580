-- no transaction
create index concurrently players_owner_id_idx on accounts.players (owner_id) where owner_id is not null;
