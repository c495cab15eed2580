-- How many people sit at a table: of the games that go on, those with most of them are worth watching first. Null: of a row that a
-- release before has written.
alter table lobby.tables add column people int;
