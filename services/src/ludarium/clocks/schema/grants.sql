grant usage on schema clocks to ludarium_service;
grant select, insert, update on clocks.beat, clocks.outages, clocks.rests to ludarium_service;
grant delete on clocks.rests to ludarium_service;
grant execute on all functions in schema clocks to ludarium_service;
