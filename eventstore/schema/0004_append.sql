-- es.append as before (0002_append.sql has its contract), in time that grows with the batch and no faster: what is judged is kept
-- in arrays by the appends' order, and the rows find theirs by subscript. All arrays that are subscripted have elements of one
-- width. Plans are generic, so that they neither cost anything nor depend on what the tables held when they were made.
create or replace function es.append(
  streams uuid[], expected int[], sizes int[], keys uuid[], requests bytea[],
  owners int[], types smallint[], schemas smallint[], ats timestamptz[], datas bytea[], hashes bytea[]
) returns table (verdict text, version int, "position" bigint)
language plpgsql
set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
  last     bigint;
  verdicts text[];
  told     int[];                               -- the version that goes with the verdict
  ok       boolean[];
  starts   int[];                               -- rows of all appends before
  taken    bigint[];                            -- rows of all accepted appends up to here
begin
  perform pg_advisory_xact_lock(7239012045551);
  select coalesce(max(e.position), 0) into last from es.events e;

  select array_agg(j.verdict), array_agg(j.told), array_agg(j.verdict = 'ok'), array_agg(j.start), array_agg(j.taken)
  into verdicts, told, ok, starts, taken
  from (
    select v.verdict,
      case v.verdict when 'ok' then v.first + v.size - 1 when 'duplicate' then v.known when 'conflict' then v.head end as told,
      (sum(v.size) over (order by v.nth) - v.size)::int as start,
      sum(case when v.verdict = 'ok' then v.size else 0 end) over (order by v.nth) as taken
    from (
      select a.nth, a.first, a.size, c.version as known, coalesce(h.version, -1) as head,
        case
          when c.request_hash = a.request then 'duplicate'
          when c.version is not null then 'mismatch'
          when coalesce(h.version, -1) + 1 <> a.first then 'conflict'
          else 'ok'
        end as verdict
      from unnest(streams, expected, sizes, keys, requests) with ordinality as a(stream, first, size, key, request, nth)
      left join lateral (
        select k.version, k.request_hash from es.commands k where k.stream_id = a.stream and k.key = a.key limit 1
      ) c on true
      left join lateral (
        select e.version from es.events e where e.stream_id = a.stream order by e.version desc limit 1
      ) h on true
    ) v
    order by v.nth
  ) j;

  insert into es.events (position, stream_id, version, type, schema, at, data, hash)
  select last + taken[r.owner] - sizes[r.owner] + (r.ord - starts[r.owner]), streams[r.owner],
    expected[r.owner] + (r.ord - starts[r.owner] - 1)::int, r.type, r.schema, r.at, r.data, r.hash
  from unnest(owners, types, schemas, ats, datas, hashes) with ordinality as r(owner, type, schema, at, data, hash, ord)
  where ok[r.owner];

  insert into es.commands (stream_id, key, request_hash, version)
  select a.stream, a.key, a.request, a.told
  from unnest(streams, keys, requests, told, ok) as a(stream, key, request, told, ok)
  where a.ok and a.key is not null;

  return query
  select r.verdict, r.told, case when r.ok then last + r.taken end
  from unnest(verdicts, told, ok, taken) as r(verdict, told, ok, taken);
end $$;
