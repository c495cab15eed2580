-- The hash of the row that a checkpoint stands on: a log that was set back and has grown again since is another log, although
-- it has a row at that position.
alter table es.checkpoints add column hash bytea check (octet_length(hash) = 32);
