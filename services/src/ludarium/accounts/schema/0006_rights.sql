-- What people may ask of us and of each other: to be forgotten, left alone, found, heard.
alter table accounts.players
  add column hides_history  boolean not null default false,
  add column hides_presence boolean not null default false;

-- Who has gone, for whoever meets the id. Their seats and words go a moment later, by any process. looks: how often somebody has
-- looked for what is left; next_at: when somebody is to look again, null when it was often enough.
create table accounts.departures (
  player_id  uuid        primary key,
  kind       text        not null,
  asked_at   timestamptz not null default now(),
  looks      integer     not null default 0,
  next_at    timestamptz default now()
);
create index on accounts.departures (next_at) where next_at is not null;

-- By whichever statement they go, also by that of a restore (backups.ledger).
create function accounts.depart() returns trigger
language plpgsql
as $$
begin
  insert into accounts.departures as d (player_id, kind) values (old.id, old.kind)
    on conflict (player_id) do update set looks = 0, next_at = now();
  return null;
end $$;
create trigger player_departed after delete on accounts.players for each row execute function accounts.depart();

create table accounts.blocks (
  player_id  uuid        not null references accounts.players on delete cascade,
  other_id   uuid        not null references accounts.players on delete cascade,
  at         timestamptz not null default now(),
  primary key (player_id, other_id)
);
create index on accounts.blocks (other_id);

create table accounts.follows (
  player_id  uuid        not null references accounts.players on delete cascade,
  other_id   uuid        not null references accounts.players on delete cascade,
  at         timestamptz not null default now(),
  primary key (player_id, other_id)
);
create index on accounts.follows (other_id);

-- About a player, a table, or what was said there. text: null when either of the two people has gone.
create table accounts.reports (
  id          uuid        primary key,
  reporter_id uuid        not null,
  player_id   uuid,
  table_id    uuid,
  message_id  uuid,
  reason      text        not null,
  text        text        check (char_length(text) <= 1000),
  at          timestamptz not null default now(),
  closed_at   timestamptz,
  closed_by   uuid,
  check (num_nonnulls(player_id, table_id) > 0)
);
create index on accounts.reports (reporter_id, at);
create index on accounts.reports (player_id, at);
create index on accounts.reports (at) where closed_at is null;

-- The planner keeps samples of what stands in a column, and would keep those of somebody who has gone.
alter table accounts.players alter column name set statistics 0;
alter table accounts.logins alter column name set statistics 0, alter column key set statistics 0;
alter table accounts.mails alter column address set statistics 0;
alter table accounts.letters alter column address set statistics 0;
alter table accounts.passkeys alter column name set statistics 0;
alter table accounts.tokens alter column name set statistics 0;
alter table accounts.apps alter column name set statistics 0, alter column redirects set statistics 0;
alter table accounts.vouchers alter column redirect set statistics 0;
alter table accounts.reports alter column text set statistics 0;
select pg_clear_attribute_stats('accounts', c.relname, a.attname, false)
from pg_class c join pg_attribute a on a.attrelid = c.oid
where c.relnamespace = 'accounts'::regnamespace and c.relkind = 'r' and a.attstattarget = 0 and a.attnum > 0;
