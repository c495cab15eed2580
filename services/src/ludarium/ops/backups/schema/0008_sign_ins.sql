-- What a sign-in shows to its owner goes with them.
create trigger touched after delete or update of network, client on accounts.sign_ins
  for each statement execute function backups.touch();
