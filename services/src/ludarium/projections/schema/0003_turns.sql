-- Up to which version turns.parts tells of each table. Two may write it, the process that has committed and the one that follows
-- the log: who comes with an older version changes nothing.
create table turns.heads (
  id  uuid primary key,
  seq int  not null
) with (fillfactor = 70);                       -- rewritten in place, move by move
grant select, insert, update, delete on turns.heads to ludarium_service;

-- Of a player's tables most are over, and nobody looks for those twice a second.
create index parts_playing on turns.parts (player, id) where status = 'playing';
