-- For how long no process could write since `moment`.
create or replace function clocks.away_since(moment timestamptz) returns interval
language sql stable
as $$
  select coalesce(sum(o.until - greatest(o.since, moment)), interval '0') from clocks.outages o where o.until > moment
$$;

grant execute on function clocks.away_since to ludarium_service;
