-- What must stay so in the ledger, and which tables have to be rewritten before a base backup.
create or replace trigger token_deleted after delete on accounts.tokens
  for each row execute function backups.keep_gone();
create or replace trigger token_revoked after update of revoked_at on accounts.tokens
  for each row when (old.revoked_at is null and new.revoked_at is not null) execute function backups.keep_gone();
create or replace trigger passkey_deleted after delete on accounts.passkeys
  for each row execute function backups.keep_gone();
create or replace trigger code_deleted after delete on accounts.rejoin_codes
  for each row execute function backups.keep_gone();
create or replace trigger player_deleted after delete on accounts.players
  for each row execute function backups.keep_gone();
create or replace trigger message_taken_back after update of gone on chat.messages
  for each row when (new.gone is not null and new.gone is distinct from old.gone) execute function backups.keep_taken_back();
create or replace trigger sanctioned after insert or update of until on accounts.sanctions
  for each row execute function backups.keep_sanction();
create or replace trigger touched after delete or update of name on accounts.players
  for each statement execute function backups.touch();
create or replace trigger touched after delete or update of name, key on accounts.logins
  for each statement execute function backups.touch();
create or replace trigger touched after delete or update of address on accounts.mails
  for each statement execute function backups.touch();
create or replace trigger touched after delete or update of address on accounts.letters
  for each statement execute function backups.touch();
create or replace trigger touched after delete or update of name on accounts.passkeys
  for each statement execute function backups.touch();
create or replace trigger touched after delete or update of name on accounts.tokens
  for each statement execute function backups.touch();
create or replace trigger touched after delete or update of name, redirects on accounts.apps
  for each statement execute function backups.touch();
create or replace trigger touched after delete or update of redirect on accounts.vouchers
  for each statement execute function backups.touch();
create or replace trigger touched after delete or update of reason on accounts.sanctions
  for each statement execute function backups.touch();
create or replace trigger touched after delete or update of reason on accounts.acts
  for each statement execute function backups.touch();
create or replace trigger touched after delete or update of reason on accounts.drains
  for each statement execute function backups.touch();
create or replace trigger touched after delete or update of text on chat.messages
  for each statement execute function backups.touch();
create or replace trigger touched after delete or update of network, client on accounts.sign_ins
  for each statement execute function backups.touch();
create or replace trigger touched after delete or update of text, listed_name on accounts.reports
  for each statement execute function backups.touch();
