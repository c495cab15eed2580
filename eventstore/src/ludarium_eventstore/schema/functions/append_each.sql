-- Appends that are judged one by one: es.append calls it where one statement cannot accept all of them.
--
-- One advisory lock gives each row the next position, and is held until the commit: so positions are dense, equal to commit
-- order, and a rollback leaves no hole. It needs READ COMMITTED: the statement after the lock sees all that was committed
-- before it. unique (lane, position) is the backstop for a writer that forgets the lock.
--
-- An append is a stream, the version of its first new row, the hash of the row before that as the writer knows it, and `size`
-- rows (owners says which append each row belongs to), in the order of their times. dues: the deadline of each append's stream; null:
-- as before. Verdicts, in the order of the appends:
--   ok         appended; version of its last row, position of its last row
--   duplicate  its key is known with the same request: the version that it made
--   mismatch   its key is known with another request
--   conflict   the stream's head (-1 for an empty one) has another version or another hash, as after a fail-over that lost rows; or
--              the stream is archived
--   untimely   a row is more than 1 s ahead of es.now(), or 15 s behind; a row no later than the row that it follows is not ahead
-- Keys are looked up before versions, so a repeated command gets its first answer and not a conflict. A null hash is not
-- compared, nor is the hash before a stream's first row.
--
-- A deadline that is earlier already stays in es.due, unless it is within a minute: until then no process can have rescheduled it, so
-- a process knows for a while what is stored and need not write it with every event.
--
-- The time it takes is linear in the batch: what is judged is kept in arrays by the appends' order, and the rows find theirs by
-- subscript. All arrays that are subscripted have elements of one width. Plans are generic, so that they neither cost anything
-- nor depend on what the tables held when they were made.
create or replace function es.append_each(
  streams uuid[], expected int[], prevs bytea[], sizes int[], keys uuid[], requests bytea[], secrets bytea[],
  owners int[], types smallint[], schemas smallint[], ats timestamptz[], datas bytea[], roots bytea[], hashes bytea[],
  dues timestamptz[]
) returns table (verdict text, version int, "position" bigint)
language plpgsql
set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
  clock    timestamptz := es.now();
  last     bigint;
  verdicts text[];
  told     int[];                               -- the version that goes with the verdict
  ok       boolean[];
  parts    smallint[];                          -- the partition of each append's stream
  starts   int[];                               -- rows of all appends before
  taken    bigint[];                            -- rows of all accepted appends up to here
begin
  perform pg_advisory_xact_lock(7239012045551);
  select coalesce(max(e.position), 0) into last from es.events e where e.lane = 0;

  select array_agg(j.verdict), array_agg(j.told), array_agg(j.verdict = 'ok'), array_agg(j.part), array_agg(j.start),
    array_agg(j.taken)
  into verdicts, told, ok, parts, starts, taken
  from (
    select v.verdict, v.part,
      case v.verdict when 'ok' then v.first + v.size - 1 when 'duplicate' then v.known when 'conflict' then v.head end as told,
      v.start,
      sum(case when v.verdict = 'ok' then v.size else 0 end) over (order by v.nth) as taken
    from (
      select a.nth, a.part, a.first, a.size, a.start, c.version as known, coalesce(z.version, h.version, -1) as head,
        case
          when c.request_hash = a.request then 'duplicate'
          when c.version is not null then 'mismatch'
          when z.version is not null or coalesce(h.version, -1) + 1 <> a.first or h.hash <> a.prev then 'conflict'
          when ats[a.start + 1] < clock - interval '15 s'
            or ats[a.start + a.size] > greatest(clock + interval '1 s', h.at) then 'untimely'
          else 'ok'
        end as verdict
      from (
        select *, es.partition_of(u.stream) as part, (sum(u.size) over (order by u.nth) - u.size)::int as start
        from unnest(streams, expected, prevs, sizes, keys, requests) with ordinality
          as u(stream, first, prev, size, key, request, nth)
      ) a
      left join lateral (
        select k.version, k.request_hash from es.commands k
        where k.partition = a.part and k.stream_id = a.stream and k.key = a.key limit 1
      ) c on true
      left join lateral (
        select e.version, e.hash, e.at from es.events e
        where e.partition = a.part and e.stream_id = a.stream order by e.version desc limit 1
      ) h on true
      left join es.archived z on z.partition = a.part and z.stream_id = a.stream
    ) v
    order by v.nth
  ) j;

  insert into es.events (position, partition, stream_id, version, type, schema, at, data, root, hash)
  select last + taken[r.owner] - sizes[r.owner] + (r.ord - starts[r.owner]), parts[r.owner], streams[r.owner],
    expected[r.owner] + (r.ord - starts[r.owner] - 1)::int, r.type, r.schema, r.at, r.data, r.root, r.hash
  from unnest(owners, types, schemas, ats, datas, roots, hashes) with ordinality
    as r(owner, type, schema, at, data, root, hash, ord)
  where ok[r.owner];

  insert into es.secrets (partition, stream_id, data)
  select a.part, a.stream, a.secret
  from unnest(parts, streams, secrets, ok) as a(part, stream, secret, ok)
  where a.ok and a.secret is not null;

  insert into es.commands (partition, stream_id, key, request_hash, version)
  select a.part, a.stream, a.key, a.request, a.told
  from unnest(parts, streams, keys, requests, told, ok) as a(part, stream, key, request, told, ok)
  where a.ok and a.key is not null;

  if cardinality(array_remove(dues, null)) > 0 then
    insert into es.due as known (partition, stream_id, at)
    select d.part, d.stream, d.due from unnest(parts, streams, dues, ok) as d(part, stream, due, ok)
    where d.ok and d.due is not null and not exists (
      select 1 from es.due k
      where k.partition = d.part and k.stream_id = d.stream and d.due < 'infinity'
        and k.at > clock + interval '1 min' and k.at <= d.due
    )
    on conflict (partition, stream_id) do update set at = excluded.at, claimed = '-infinity';
  end if;

  return query
  select r.verdict, r.told, case when r.ok then last + r.taken end
  from unnest(verdicts, told, ok, taken) as r(verdict, told, ok, taken);
end $$;
