-- All own tables. Text keys compare by their bytes (utf8mb4_bin); ids of StreamPark are kept as decimal text, because a
-- bigint of the source does not fit a JavaScript number.

-- One row: who this installation is and which StreamPark it belongs to.
create table installation (
  slot smallint not null,
  installation_id char(36) not null,
  hash_key char(64) not null,
  source_server varchar(255) not null,
  source_database varchar(255) not null,
  smallest_create_time varchar(40),
  created_at bigint not null,
  adopted_at bigint,
  learned_zone varchar(255),
  primary key (slot)
) engine = InnoDB default character set = utf8mb4 collate = utf8mb4_bin;

-- expires_at is by the clock of the database; token grows with each takeover.
create table lease (
  name varchar(64) not null,
  holder varchar(255) not null,
  token bigint not null,
  expires_at bigint not null,
  primary key (name)
) engine = InnoDB default character set = utf8mb4 collate = utf8mb4_bin;

-- Evidence: what was last seen of each application, compared and set by version.
create table checkpoint (
  engine varchar(16) not null,
  app_id varchar(20) not null,
  create_time varchar(40) not null,
  row_json longtext not null,
  version bigint not null,
  updated_at bigint not null,
  primary key (engine, app_id, create_time)
) engine = InnoDB default character set = utf8mb4 collate = utf8mb4_bin;

-- How far each log table of StreamPark was read.
create table log_cursor (
  log_table varchar(64) not null,
  last_id varchar(20) not null,
  updated_at bigint not null,
  primary key (log_table)
) engine = InnoDB default character set = utf8mb4 collate = utf8mb4_bin;

-- One proven run. identity_text is what the run id is made of.
create table run (
  engine varchar(16) not null,
  app_id varchar(20) not null,
  create_time varchar(40) not null,
  attempt int not null,
  continuation int not null,
  phase varchar(16) not null,
  identity_text varchar(255) not null,
  run_id char(36) not null,
  job_id varchar(64),
  yarn_id varchar(128),
  log_id varchar(20),
  option_time varchar(40),
  sql_id varchar(20),
  plan_key varchar(64),
  desired_json longtext not null,
  emitted varchar(16) not null,
  frozen_json longtext,
  started_at bigint not null,
  ended_at bigint,
  last_event_at bigint,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (engine, app_id, create_time, attempt, continuation),
  unique key run_identity (identity_text),
  unique key run_run_id (run_id),
  key run_phase (phase, last_event_at)
) engine = InnoDB default character set = utf8mb4 collate = utf8mb4_bin;

-- Events on their way. `state` is waiting, sent, dead or skipped; the smallest waiting seq of an order key goes first.
create table outbox (
  seq bigint not null auto_increment,
  destination varchar(64) not null,
  order_key varchar(64) not null,
  event_id varchar(190) not null,
  kind varchar(8) not null,
  type varchar(16) not null,
  run_id varchar(64),
  terminal smallint not null,
  payload longtext not null,
  state varchar(8) not null,
  attempts int not null,
  server_errors int not null,
  next_at bigint not null,
  error varchar(1000),
  created_at bigint not null,
  settled_at bigint,
  primary key (seq),
  unique key outbox_event (destination, event_id),
  key outbox_waiting (destination, state, seq),
  key outbox_settled (state, settled_at),
  key outbox_run (run_id)
) engine = InnoDB default character set = utf8mb4 collate = utf8mb4_bin;

-- Pipelines by the keyed hash of everything they depend on; nothing secret in them.
create table plan_cache (
  plan_key char(64) not null,
  plan_json longtext not null,
  used_at bigint not null,
  primary key (plan_key),
  key plan_cache_used (used_at)
) engine = InnoDB default character set = utf8mb4 collate = utf8mb4_bin;

-- What was written into rows of StreamPark, so that exactly that can be taken back. `declined`: keys that somebody took out or
-- changed since; they are his for ever.
create table injection (
  engine varchar(16) not null,
  app_id varchar(20) not null,
  create_time varchar(40) not null,
  column_name varchar(64) not null,
  before_text longtext,
  after_text longtext not null,
  written_at bigint not null,
  declined longtext,
  writes int not null,
  primary key (engine, app_id, create_time, column_name)
) engine = InnoDB default character set = utf8mb4 collate = utf8mb4_bin;
