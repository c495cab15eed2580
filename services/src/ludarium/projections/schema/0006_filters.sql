-- What one looks for in the lobby, and by when one's answer is due. Null: of a row that a release before has written.
alter table lobby.tables add column seats int, add column clock text;
alter table turns.parts add column deadline timestamptz;
