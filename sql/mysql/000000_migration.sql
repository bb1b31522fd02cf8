-- The table that the other files are recorded in. Repeatable; not recorded itself.
-- A row is written before its file runs: applied_at stays NULL until the last statement is done, and `steps` counts the
-- statements that are, because every DDL statement commits on MySQL and a crash may fall between two of them.
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
) engine = InnoDB default character set = utf8mb4 collate = utf8mb4_bin;
