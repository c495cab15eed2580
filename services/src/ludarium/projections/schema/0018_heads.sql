-- The tables that were over within each hour, and a root over each hour that has passed.
create schema heads;
create table heads.tables (
  id   uuid        primary key,
  hour timestamptz not null,
  head bytea       not null
);
create index on heads.tables (hour);
create table heads.hours (
  hour     timestamptz primary key,
  root     bytea       not null,
  previous bytea       not null,
  count    int         not null
);
