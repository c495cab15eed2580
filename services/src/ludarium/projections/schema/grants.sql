-- Run after all migrations, each time, so that a new table has them too. The rows are the service's to write; the schemas are
-- the owner's, who makes them anew.
do $$
declare
  name text;
begin
  foreach name in array array[
    'lobby', 'turns', 'positions', 'frames', 'records', 'statistics', 'deals', 'cards', 'heads', 'seats', 'tournaments',
    'ratings', 'calls', 'boards'
  ] loop
    execute format('grant usage on schema %I to ludarium_service', name);
    execute format('grant select, insert, update, delete on all tables in schema %I to ludarium_service', name);
  end loop;
end $$;
