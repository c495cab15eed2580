-- Each process compares what has been run with what it needs, before it says that it is ready.
grant select on public.ludarium_migrations to ludarium_service;
grant execute on all functions in schema es to ludarium_service;
alter default privileges in schema es grant execute on functions to ludarium_service;
