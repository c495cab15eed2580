-- When the service was there, and when people want to rest.
create schema clocks;

-- Some process could write, at this time: the one row. Whoever finds it too old has found an outage, and writes that down, once.
create table clocks.beat (
  one bool        primary key default true check (one),
  at  timestamptz not null
);

create table clocks.outages (
  since timestamptz primary key,
  until timestamptz not null check (until > since)
);

-- A sign of life, and the outages that ended after `known`. longest: the most that may lie between two signs.
create function clocks.beat(longest interval, known timestamptz) returns table (at timestamptz, outages timestamptz[])
language plpgsql
as $$
#variable_conflict use_column
declare
  last timestamptz;
  now_ timestamptz;
begin
  select b.at into last from clocks.beat b for update;
  now_ := es.now();
  if last is null then
    insert into clocks.beat (at) values (now_) on conflict do nothing;
  else
    if now_ - last > longest then
      insert into clocks.outages (since, until) values (last, now_) on conflict do nothing;
    end if;
    update clocks.beat b set at = greatest(b.at, now_);
  end if;
  return query select now_, coalesce((
    select array_agg(array[o.since, o.until] order by o.until) from clocks.outages o where o.until > known
  ), '{}');
end $$;

-- A player's playing hours and vacations, as msgpack (services/clocks/hours.py). Those that hold for a span are the newest that
-- were set in good time before it began.
create table clocks.rests (
  player text        not null,
  since  timestamptz not null,
  data   bytea       not null,
  primary key (player, since)
);
