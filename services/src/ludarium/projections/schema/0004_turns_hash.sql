-- Of which row turns.parts tells: after a fail-over another one may have its number. Null: of a release that did not say so.
alter table turns.heads add column hash bytea;
