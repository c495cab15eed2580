-- What somebody has told of somebody else, for moderators to read.
create table accounts.reports (
  id          uuid        primary key,
  reporter_id uuid        not null,
  player_id   uuid,
  table_id    uuid,
  message_id  uuid,
  reason      text        not null,
  text        text        not null default '',
  at          timestamptz not null default now(),
  closed_at   timestamptz,
  closed_by   uuid
);
