-- no transaction
create index concurrently texts_by_author on tournament_texts.texts (player_id);
