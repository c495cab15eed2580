-- The one clock by which events are judged. Tests replace it; only the owner of the log can.
create or replace function es.now() returns timestamptz
language sql volatile parallel safe
return clock_timestamp();
