-- Shared deals that are not revealed yet. A deal is one row here for as long as it runs, so whoever looks for those that are to
-- be revealed passes over none that was.
create schema deals;

create table deals.waiting (id uuid primary key);
