-- What players write about games. Ordinary tables: texts can be changed, hidden and deleted.
create schema studies;

-- version: its present one. shared: anyone with its link can read it once the game is over. hidden_at: by a moderator.
create table studies.studies (
  id         uuid        primary key,
  table_id   uuid        not null,
  player_id  uuid        not null references accounts.players on delete cascade,
  version    int         not null default 1,
  shared     boolean     not null default false,
  hidden_at  timestamptz,
  made_at    timestamptz not null default clock_timestamp()
);
create index on studies.studies (player_id, id);
create index on studies.studies (table_id, player_id, id);

-- id: of the request that wrote it, so that a repeated request writes it once.
create table studies.versions (
  study_id   uuid        not null references studies.studies on delete cascade,
  version    int         not null,
  id         uuid        not null unique,
  title      text        not null,
  chapters   jsonb       not null,
  at         timestamptz not null default clock_timestamp(),
  primary key (study_id, version)
);

-- moment: the event that it is about; null: the whole game.
create table studies.comments (
  id         uuid        primary key,
  table_id   uuid        not null,
  player_id  uuid        not null references accounts.players on delete cascade,
  moment     int,
  text       text        not null,
  at         timestamptz not null default clock_timestamp(),
  hidden_at  timestamptz
);
create index on studies.comments (table_id, id);
create index on studies.comments (player_id, at);

-- No samples of words of people: see accounts.
alter table studies.versions alter column title set statistics 0, alter column chapters set statistics 0;
alter table studies.comments alter column text set statistics 0;

create trigger touched after delete or update of title, chapters on studies.versions
  for each statement execute function backups.touch();
create trigger touched after delete or update of text on studies.comments for each statement execute function backups.touch();

grant usage on schema studies to ludarium_service;
grant select, insert, update, delete on studies.studies, studies.versions, studies.comments to ludarium_service;
