-- A name that a moderator has withdrawn: it is empty, and nobody can give the player another one there.
alter table tournament_texts.names add column withdrawn boolean not null default false;
