-- The events of an append, packed by packed.py as one bytea each, big-endian: stream, key (16 bytes each), version, size (4 each), type,
-- schema, flags, bytes of the request, bytes of the secret (2 each), bytes of data (4), at, due (8 each; microseconds since 1970), root,
-- hash, prev (32 each), request, secret, data. size: rows of the append at its first, 0 at the others, whose key, prev, secret and due
-- are not read. flags: 1 a key and its request, 2 a prev, 4 a secret, 8 a due, 16 it is infinity. part is es.partition_of(stream).
create or replace function es.unpacked(rows bytea[]) returns table (
  nth bigint, part smallint, stream uuid, key uuid, version int, size int, type smallint, schema smallint, flags smallint,
  at timestamptz, due timestamptz, root bytea, hash bytea, prev bytea, request bytea, secret bytea, data bytea, whole boolean
)
language sql stable parallel safe
as $$
  select r.nth, (((get_byte(r.row, 6) & 15) << 6) | (get_byte(r.row, 7) >> 2))::smallint, encode(substr(r.row, 1, 16), 'hex')::uuid,
    case when substr(r.row, 45, 2)::int & 1 > 0 then encode(substr(r.row, 17, 16), 'hex')::uuid end,
    substr(r.row, 33, 4)::int, substr(r.row, 37, 4)::int, substr(r.row, 41, 2)::smallint, substr(r.row, 43, 2)::smallint,
    substr(r.row, 45, 2)::smallint, timestamptz 'epoch' + substr(r.row, 55, 8)::bigint * interval '1 us',
    case substr(r.row, 45, 2)::int & 24 when 8 then timestamptz 'epoch' + substr(r.row, 63, 8)::bigint * interval '1 us'
      when 24 then 'infinity' end,
    substr(r.row, 71, 32), substr(r.row, 103, 32), case when substr(r.row, 45, 2)::int & 2 > 0 then substr(r.row, 135, 32) end,
    case when substr(r.row, 45, 2)::int & 1 > 0 then substr(r.row, 167, substr(r.row, 47, 2)::int) end,
    case when substr(r.row, 45, 2)::int & 4 > 0 then substr(r.row, 167 + substr(r.row, 47, 2)::int, substr(r.row, 49, 2)::int) end,
    substr(r.row, 167 + substr(r.row, 47, 2)::int + substr(r.row, 49, 2)::int),
    octet_length(r.row) = 166 + substr(r.row, 47, 2)::int + substr(r.row, 49, 2)::int + substr(r.row, 51, 4)::int
  from unnest(rows) with ordinality as r(row, nth)
$$;
