-- es.append: one call is one transaction and one fsync, for any number of appends, at most one a stream.
--
-- One advisory lock gives each row the next position, and is held until the commit: so positions are dense, equal to commit
-- order, and a rollback leaves no hole. It needs READ COMMITTED: the statement after the lock sees all that was committed
-- before it. unique (position) is the backstop for a writer that forgets the lock.
--
-- An append is a stream, the version of its first new row, and `size` rows (owners says which append each row belongs to).
-- Verdicts, in the order of the appends:
--   ok         appended; version of its last row, position of its last row
--   duplicate  its key is known with the same request: the version that it made
--   mismatch   its key is known with another request
--   conflict   another version is expected: the stream's head (-1 for an empty one)
-- Keys are looked up before versions, so a repeated command is told its first answer and not a conflict.
create function es.append(
  streams uuid[], expected int[], sizes int[], keys uuid[], requests bytea[],
  owners int[], types smallint[], schemas smallint[], ats timestamptz[], datas bytea[], hashes bytea[]
) returns table (verdict text, version int, "position" bigint)
language plpgsql as $$
#variable_conflict use_column
declare
  last bigint;
begin
  perform pg_advisory_xact_lock(7239012045551);
  select coalesce(max(e.position), 0) into last from es.events e;

  return query
  with asked as (
    select * from unnest(streams, expected, sizes, keys, requests) with ordinality
      as a(stream, first, size, key, request, nth)
  ), judged as (
    select a.*, c.version as known, coalesce(h.version, -1) as head,
      case
        when c.version is not null and c.request_hash = a.request then 'duplicate'
        when c.version is not null then 'mismatch'
        when coalesce(h.version, -1) + 1 <> a.first then 'conflict'
        else 'ok'
      end as verdict
    from asked a
    left join es.commands c on c.stream_id = a.stream and c.key = a.key
    left join lateral (
      select e.version from es.events e where e.stream_id = a.stream order by e.version desc limit 1
    ) h on true
  ), given as (
    select r.*, row_number() over (partition by r.owner order by r.ord) - 1 as step
    from unnest(owners, types, schemas, ats, datas, hashes) with ordinality
      as r(owner, type, schema, at, data, hash, ord)
  ), accepted as (
    select g.*, j.stream, (j.first + g.step)::int as version, last + row_number() over (order by g.ord) as position
    from given g join judged j on j.nth = g.owner
    where j.verdict = 'ok'
  ), written as (
    insert into es.events (position, stream_id, version, type, schema, at, data, hash)
    select a.position, a.stream, a.version, a.type, a.schema, a.at, a.data, a.hash from accepted a
  ), keyed as (
    insert into es.commands (stream_id, key, request_hash, version)
    select j.stream, j.key, j.request, j.first + j.size - 1 from judged j where j.verdict = 'ok' and j.key is not null
  )
  select j.verdict,
    case j.verdict when 'ok' then j.first + j.size - 1 when 'duplicate' then j.known when 'conflict' then j.head end,
    (select max(a.position) from accepted a where a.owner = j.nth)
  from judged j
  order by j.nth;
end $$;
