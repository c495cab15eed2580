-- The newest mark of each place of backups, as it was written or last seen there: which files the place has, and how far its log goes.
-- follows: `ludarium backup --follow` writes there now. faults: found by the last check; the follower adds one if the mark was set back.
create table backups.marks (
  place      text        primary key,
  number     bigint      not null,
  at         timestamptz not null,
  follows    boolean     not null,
  faults     int         not null default 0,
  checked_at timestamptz
);
grant select on backups.marks to ludarium_service;
