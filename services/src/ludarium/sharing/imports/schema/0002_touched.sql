-- As for other tables of people: see backups/0005_touched.sql.
create trigger touched after delete or update of body, data on imports.records for each statement execute function backups.touch();
