-- Ten bits of a stream's id (services' platform/ids.py), under which everything that belongs to the stream lies.
create or replace function es.partition_of(stream uuid) returns smallint
language sql immutable strict parallel safe
return (((get_byte(uuid_send(stream), 6) & 15) << 6) | (get_byte(uuid_send(stream), 7) >> 2))::smallint;
