create or replace trigger player_departed after delete on accounts.players
  for each row execute function accounts.depart();
create or replace trigger login_retired after delete on accounts.logins
  for each row execute function accounts.retire_login();
