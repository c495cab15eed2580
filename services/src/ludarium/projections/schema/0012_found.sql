-- What one looks for among finished games, all of it from what is told of them: so a row that a release before writes has it too.
-- ended: RFC 3339 in UTC with milliseconds, which sorts as text. winners: how many seats share the first place; 0: there is none.
-- bots: of ours; programs: seats of other people's bots.
alter table records.games
  add column ended    text collate "C" generated always as (body ->> 'ended_at') stored,
  add column events   int   generated always as ((body ->> 'events')::int) stored,
  add column seats    int   generated always as (jsonb_array_length(body -> 'table' -> 'seats')) stored,
  add column winners  int   generated always as (jsonb_array_length(jsonb_path_query_array(body, '$.outcome[*] ? (@ == 1)'))) stored,
  add column bots     jsonb generated always as (jsonb_path_query_array(body, '$.table.seats[*].bot ? (@ != null)')) stored,
  add column programs int   generated always as (
    jsonb_array_length(jsonb_path_query_array(body, '$.table.seats[*].owner ? (@ != null)'))) stored;
