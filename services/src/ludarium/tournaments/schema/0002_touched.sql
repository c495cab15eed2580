-- As other tables with words of people: no samples of them, and backups/0005_touched.sql.
alter table tournament_texts.texts
  alter column title set statistics 0, alter column body set statistics 0, alter column code set statistics 0;
select pg_clear_attribute_stats('tournament_texts', 'texts', name, false) from unnest(array['title', 'body', 'code']) as name;
create trigger touched after delete or update of title, body, code on tournament_texts.texts
  for each statement execute function backups.touch();
