-- The table that the other files are recorded in. Repeatable; not recorded itself.
-- Each file runs in one transaction together with its row, so `steps` and applied_at are always complete here.
-- Times in all own tables are milliseconds since the epoch (UTC) in a BIGINT: no zone, no session setting, no rounding.

create table if not exists migration (
  number int not null,
  name varchar(100) not null,
  checksum char(64) not null,
  breaking smallint not null,
  steps int not null,
  started_at bigint not null,
  applied_at bigint,
  primary key (number)
);
