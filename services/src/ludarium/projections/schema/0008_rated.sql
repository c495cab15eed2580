-- Whether a game counts for ratings. Null: of a row that a release before has written, when none did.
alter table lobby.tables add column rated bool;
