-- Streams whose rows were moved to bundles outside the database (eventstore/archive.py).
--
-- From the moment at which a stream stands here it is closed, and read from its bundle; its rows go afterwards, by and by. nth: in
-- the order in which they came here. version, head, last: of its last row; head is that row's hash. bundle: the hash of the file.
-- cleared: none of its rows is in the log any more.
create table es.archived (
  nth       bigint   generated always as identity unique,
  first     bigint   not null,
  last      bigint   not null,
  partition smallint not null,
  stream_id uuid     not null,
  version   int      not null,
  cleared   boolean  not null default false,
  head      bytea    not null check (octet_length(head) = 32),
  bundle    bytea    not null check (octet_length(bundle) = 32),
  primary key (partition, stream_id)
);
create index archived_left on es.archived (nth) where not cleared;
create index archived_span on es.archived using gist (int8range(first, last, '[]'));

-- The positions of rows that are not in the log any more, in spans that do not touch each other. What is missing beside them,
-- nobody has archived.
create table es.gaps (
  first bigint primary key,
  last  bigint not null unique
);
grant select on es.archived, es.gaps to ludarium_service;

-- How many positions behind `start` and up to `until` are gaps.
create function es.gone(start bigint, until bigint) returns bigint
language sql stable
return (
  select coalesce(sum(least(g.last, until) - greatest(g.first, start + 1) + 1), 0)::bigint
  from (
    (select first, last from es.gaps where first <= start order by first desc limit 1)
    union all
    select first, last from es.gaps where first > start and first <= until
  ) g where g.last > start
);

-- The hash of the row at a position; 32 zero bytes of one that was archived; null where no row ever was, or one is missing.
create function es.hash_at(place bigint) returns bytea
language sql stable
return coalesce(
  (select e.hash from es.events e where e.lane = 0 and e.position = place),
  (select decode(repeat('00', 32), 'hex') from es.gaps g where g.first <= place and g.last >= place)
);

-- Closes a stream whose rows stand in a bundle, unless its head is another row by now; whether it did. As the owner of the log.
-- Nobody appends meanwhile.
create function es.archive(stream uuid, version int, head bytea, first bigint, last bigint, bundle bytea) returns boolean
language plpgsql
as $$
#variable_conflict use_variable
declare
  part smallint := es.partition_of(stream);
begin
  perform pg_advisory_xact_lock(7239012045551);
  perform from es.events e
  where e.partition = part and e.stream_id = stream and e.version = version and e.hash = head and not exists (
    select from es.events n where n.partition = part and n.stream_id = stream and n.version > version
  );
  if not found then
    return false;
  end if;
  insert into es.archived (first, last, partition, stream_id, version, head, bundle)
  values (first, last, part, stream, version, head, bundle);
  delete from es.commands c where c.partition = part and c.stream_id = stream;
  delete from es.snapshots s where s.partition = part and s.stream_id = stream;
  delete from es.due d where d.partition = part and d.stream_id = stream;
  return true;
end $$;

-- Deletes at most so many rows of the stream that has waited longest, the first ones first, with its secret; how many. Null: there
-- is no such stream any more. As the owner of the log, one caller at a time.
create function es.clear_archived(most int) returns int
language plpgsql
as $$
declare
  found_  es.archived;
  fresh   int8multirange;
  touched int8multirange;
  gone    int;
begin
  perform pg_advisory_xact_lock(7239012045553);
  select * into found_ from es.archived where not cleared order by nth limit 1;
  if not found then
    return null;
  end if;
  with deleted as (
    delete from es.events e
    where e.partition = found_.partition and e.stream_id = found_.stream_id and e.version in (
      select n.version from es.events n where n.partition = found_.partition and n.stream_id = found_.stream_id
      order by n.version limit most
    ) returning e.position
  ) select range_agg(int8range(position, position, '[]')), count(*) into fresh, gone from deleted;
  with joined as (
    delete from es.gaps g
    where g.last in (select lower(f) - 1 from unnest(fresh) f) or g.first in (select upper(f) from unnest(fresh) f)
    returning int8range(g.first, g.last, '[]') as span
  ) select range_agg(span) into touched from joined;
  insert into es.gaps (first, last)
  select lower(s), upper(s) - 1 from unnest(coalesce(fresh, '{}') + coalesce(touched, '{}')) s;
  delete from es.secrets s where s.partition = found_.partition and s.stream_id = found_.stream_id;
  if gone < most then
    update es.archived a set cleared = true where a.nth = found_.nth;
  end if;
  return gone;
end $$;

-- As in 0007_due_in_a_minute.sql, but for streams that are archived: they are closed.
create or replace function es.append(
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

grant execute on all functions in schema es to ludarium_service;
