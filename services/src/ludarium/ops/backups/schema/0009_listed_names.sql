-- A listed name in a report is in the words of people, as its text is.
create or replace trigger touched after delete or update of text, listed_name on accounts.reports
  for each statement execute function backups.touch();
