-- Appends events: one call is one transaction and one fsync, for any number of appends, at most one a stream. They come as one array
-- of bytes, packed as in unpacked.sql. Returns one row `all` with the position before theirs if all were accepted by one statement.
-- Otherwise (a known key, another head, an untimely row, an archived stream) nothing of that stays, and es.append_each returns a
-- verdict for each append.
create or replace function es.append(rows bytea[]) returns table (verdict text, version int, "position" bigint)
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off                        -- plans are made when the tables may be empty yet
as $$
#variable_conflict use_column
declare
  clock timestamptz := es.now();
  last  bigint;
  fine  boolean;
  more  boolean;                                -- whether there are secrets or dues
begin
  perform pg_advisory_xact_lock(7239012045551);
  select coalesce(max(e.position), 0) into last from es.events e where e.lane = 0;

  begin
    with r as materialized (select * from es.unpacked(rows)),
    judged as materialized (
      select not exists (
        select from r
        left join lateral (
          select e.hash from es.events e
          where r.size > 0 and e.partition = r.part and e.stream_id = r.stream and e.version = r.version - 1 limit 1
        ) h on true
        where not r.whole or r.at < clock - interval '15 s' or r.at > clock + interval '1 s'
          or (r.size > 0 and r.version > 0 and (h.hash is null or h.hash <> r.prev))
          or (r.size > 0 and exists (select from es.archived z where z.partition = r.part and z.stream_id = r.stream))
      ) as fine
    ),
    put as (
      insert into es.events (position, partition, stream_id, version, type, schema, at, data, root, hash)
      select last + r.nth, r.part, r.stream, r.version, r.type, r.schema, r.at, r.data, r.root, r.hash
      from r where (select j.fine from judged j)
    ),
    keyed as (
      insert into es.commands (partition, stream_id, key, request_hash, version)
      select r.part, r.stream, r.key, r.request, r.version + r.size - 1
      from r where r.size > 0 and r.key is not null and (select j.fine from judged j)
    )
    select (select j.fine from judged j), bool_or(r.size > 0 and r.flags & 12 > 0) into fine, more from r;

    if fine and more then
      insert into es.secrets (partition, stream_id, data)
      select r.part, r.stream, r.secret from es.unpacked(rows) r where r.size > 0 and r.secret is not null;

      insert into es.due as known (partition, stream_id, at)
      select r.part, r.stream, r.due from es.unpacked(rows) r
      where r.size > 0 and r.due is not null and not exists (
        select 1 from es.due k
        where k.partition = r.part and k.stream_id = r.stream and r.due < 'infinity'
          and k.at > clock + interval '1 min' and k.at <= r.due
      )
      on conflict (partition, stream_id) do update set at = excluded.at, claimed = '-infinity';
    end if;
    if fine then
      return query select 'all', null::int, last;
      return;
    end if;
  exception when unique_violation then
    null;                                       -- a key that is known, or a version that is taken
  end;

  if exists (select from es.unpacked(rows) r where not r.whole) then
    raise exception 'a row is not as long as it says' using errcode = 'check_violation';
  end if;
  return query
  select j.verdict, j.version, j.position from (
    select array_agg(r.stream order by r.nth) filter (where r.size > 0) as streams,
      array_agg(r.version order by r.nth) filter (where r.size > 0) as expected,
      array_agg(r.prev order by r.nth) filter (where r.size > 0) as prevs,
      array_agg(r.size order by r.nth) filter (where r.size > 0) as sizes,
      array_agg(r.key order by r.nth) filter (where r.size > 0) as keys,
      array_agg(r.request order by r.nth) filter (where r.size > 0) as requests,
      array_agg(r.secret order by r.nth) filter (where r.size > 0) as secrets,
      array_agg(r.due order by r.nth) filter (where r.size > 0) as dues,
      array_agg(r.owner order by r.nth) as owners, array_agg(r.type order by r.nth) as types,
      array_agg(r.schema order by r.nth) as schemas, array_agg(r.at order by r.nth) as ats, array_agg(r.data order by r.nth) as datas,
      array_agg(r.root order by r.nth) as roots, array_agg(r.hash order by r.nth) as hashes
    from (select *, (count(*) filter (where u.size > 0) over (order by u.nth))::int as owner from es.unpacked(rows) u) r
  ) a cross join lateral es.append_each(
    a.streams, a.expected, a.prevs, a.sizes, a.keys, a.requests, a.secrets, a.owners, a.types, a.schemas, a.ats, a.datas, a.roots,
    a.hashes, a.dues
  ) j;
end $$;
