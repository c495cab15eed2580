-- The seat that an invited player takes if they name none. It is not kept for them.
alter table entry.guests add column seat smallint;
