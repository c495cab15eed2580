-- The service's login owns nothing: what it may do here it is given, also with tables that are yet to come.
grant usage on schema accounts to ludarium_service;
grant select, insert, update, delete on all tables in schema accounts to ludarium_service;
alter default privileges in schema accounts grant select, insert, update, delete on tables to ludarium_service;
