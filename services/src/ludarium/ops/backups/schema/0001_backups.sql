-- What is known of backups beside the log, and what has to outlive going back to one.
create schema backups;

-- When something was last done: a base backup, the log brought there (base, log), a restore that was tried out (restore).
create table backups.done (
  kind text        primary key check (kind in ('base', 'log', 'restore')),
  at   timestamptz not null
);

-- What must stay so even where the database is set back to an earlier moment. `ludarium backup` moves it to a file beside the
-- backups. Nothing is kept for a house that has no backups.
create table backups.ledger (
  id      bigint      primary key generated always as identity,
  at      timestamptz not null default now(),
  kind    text        not null,
  subject bytea       not null
);

create function backups.keep(kind text, subject bytea) returns void
language sql security definer
set search_path = pg_catalog, pg_temp
begin atomic
  insert into backups.ledger (kind, subject) select keep.kind, keep.subject where exists (select from backups.done);
end;

-- Whoever takes it away, by whichever statement: a token, a way to sign in, a player with all that is theirs.
create function backups.keep_gone() returns trigger
language plpgsql
as $$
begin
  if tg_table_name = 'players' then
    perform backups.keep('player-deleted', uuid_send(old.id));
  elsif tg_table_name = 'passkeys' then
    perform backups.keep('passkey-removed', old.id);
  elsif tg_table_name = 'rejoin_codes' then
    perform backups.keep('code-ended', old.hash);
  else
    perform backups.keep('token-ended', old.hash);
  end if;
  return null;
end $$;
create trigger token_deleted after delete on accounts.tokens for each row execute function backups.keep_gone();
create trigger token_revoked after update of revoked_at on accounts.tokens
  for each row when (old.revoked_at is null and new.revoked_at is not null) execute function backups.keep_gone();
create trigger passkey_deleted after delete on accounts.passkeys for each row execute function backups.keep_gone();
create trigger code_deleted after delete on accounts.rejoin_codes for each row execute function backups.keep_gone();
create trigger player_deleted after delete on accounts.players for each row execute function backups.keep_gone();

-- Rows that the log has lost, as whoever misses them knows it: of one stream, or at some time within a span.
-- kept: the last version that is in the log still, -1: none. lost: the hash of the last row that went. noted: at its table.
create table backups.cuts (
  id         bigint      primary key generated always as identity,
  found_at   timestamptz not null default now(),
  stream_id  uuid,
  kept       int         check (kept >= -1),
  lost       bytea       check (octet_length(lost) = 32),
  since      timestamptz,
  until      timestamptz,
  noted      boolean     not null default false,
  check (num_nulls(stream_id, kept, lost) in (0, 3) and num_nulls(since, until) in (0, 2)
         and num_nulls(stream_id, since) = 1),
  unique (stream_id, lost)
);
create index on backups.cuts (id) where not noted and stream_id is not null;

grant usage on schema backups to ludarium_service;
grant select on backups.done to ludarium_service;
grant select, insert on backups.cuts to ludarium_service;
grant update (noted) on backups.cuts to ludarium_service;
grant execute on all functions in schema backups to ludarium_service;
