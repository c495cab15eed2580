-- A name that its bearer has changed; a host can no longer change it.
alter table tournament_texts.names add column own boolean not null default false;
