-- Who wrote a text, so that it is deleted with its author's account. Texts from before this migration have no author.
alter table tournament_texts.texts add column player_id uuid references accounts.players on delete cascade;
