-- The operator's signature under a cut: `ludarium cuts sign`.
create table backups.signed_cuts (
  id        bigint primary key references backups.cuts on delete cascade,
  key       text   not null,
  signature text   not null
);
grant select on backups.signed_cuts to ludarium_service;
