-- A PostgreSQL that others back up: its ledger alone goes to a place (`ludarium ledger ship`), and is kept from the first time on.
alter table backups.done drop constraint done_kind_check;
alter table backups.done add check (kind in ('base', 'log', 'ledger', 'restore'));
