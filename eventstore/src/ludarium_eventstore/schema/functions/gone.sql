-- How many positions after `start` and up to `until` are gaps.
create or replace function es.gone(start bigint, until bigint) returns bigint
language sql stable
return (
  select coalesce(sum(least(g.last, until) - greatest(g.first, start + 1) + 1), 0)::bigint
  from (
    (select first, last from es.gaps where first <= start order by first desc limit 1)
    union all
    select first, last from es.gaps where first > start and first <= until
  ) g where g.last > start
);
