-- Only play rates, or what an official ruled whom the operator of the site has sanctioned for that tournament.
alter table ratings.games
  add column adjudicated bool not null default false,     -- ended by a ruling
  add column resigned    bool not null default false;
create index on ratings.games using gin (players);

-- An official without a sanction gave places while this was the newest game of its board: if that ended it, it does not count.
alter table ratings.boards add column forced bool not null default false;

-- The sanctioned officials of a tournament, by player id.
create table ratings.sanctions (
  tournament uuid   primary key,
  officials  text[] not null
);

-- Games that an administrator took out of the ratings.
create table ratings.voids (
  game uuid primary key
);
