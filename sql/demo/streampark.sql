-- Tables as StreamPark's development branch makes them on PostgreSQL, cut to the columns that the daemon reads and
-- the demo writes; the Spark tables have the shape of the MySQL schema.
create table t_team (id bigint primary key, team_name varchar(64) not null, description varchar(255), create_time timestamp(6));
create table t_user (user_id bigint primary key, username varchar(64) not null, create_time timestamp(6));
create table t_setting (
  order_num int, setting_key varchar(64) primary key, setting_value text, setting_name varchar(255), description varchar(255), type smallint not null
);
create table t_variable (
  id bigint primary key, variable_code varchar(128) not null, variable_value text not null, team_id bigint not null,
  desensitization boolean not null default false
);
create table t_flink_env (
  id bigint primary key, flink_name varchar(128) not null, flink_home varchar(255) not null, version varchar(64) not null,
  flink_conf text not null, is_default boolean not null default false
);
create table t_flink_cluster (
  id bigint not null, cluster_name varchar(128) not null, address varchar(150), cluster_id varchar(45), deploy_mode smallint not null,
  cluster_state smallint default 0, primary key (id, cluster_name)
);
create table t_flink_app (
  id bigint primary key, team_id bigint, job_type smallint, deploy_mode smallint, job_name varchar(255), user_id bigint, app_type smallint,
  job_id varchar(64), version_id bigint, cluster_id varchar(45), state int, restart_size int, restart_count int, dynamic_properties text,
  description varchar(255), option_state smallint, tracking smallint, create_time timestamp(6), modify_time timestamp(6),
  option_time timestamp(6), release smallint default 1, build boolean default true, start_time timestamp(6), end_time timestamp(6),
  duration bigint, flink_cluster_id bigint, tags varchar(500), lineage_enable boolean default false
);
create table t_flink_sql (
  id bigint primary key, app_id bigint, sql text, dependency text, version int, candidate smallint not null default 1, create_time timestamp(6)
);
create table t_flink_effective (
  id bigint primary key, app_id bigint not null, target_type smallint not null, target_id bigint not null, create_time timestamp(6)
);
create table t_flink_config (
  id bigint primary key, app_id bigint not null, format smallint not null default 0, version int not null,
  latest boolean not null default false, content text not null, create_time timestamp(6)
);
create table t_spark_env (
  id bigint primary key, spark_name varchar(128) not null, spark_home varchar(255) not null, version varchar(64) not null,
  spark_conf text not null, is_default boolean not null default false
);
create table t_spark_app (
  id bigint primary key, team_id bigint not null, job_type smallint, app_type smallint, version_id bigint, app_name varchar(255),
  deploy_mode smallint, cluster_id varchar(64), app_properties text, app_args text, restart_size int, restart_count int, state int,
  option_state smallint, option_time timestamp(6), user_id bigint, description varchar(255), tracking smallint, release smallint default 1,
  build boolean default true, create_time timestamp(6), modify_time timestamp(6), start_time timestamp(6), end_time timestamp(6),
  duration bigint, tags varchar(500), lineage_enable boolean default false
);
create table t_spark_sql (
  id bigint primary key, app_id bigint, sql text, dependency text, version int, candidate smallint not null default 1, create_time timestamp(6)
);
create table t_spark_effective (
  id bigint primary key, app_id bigint not null, target_type smallint not null, target_id bigint not null, create_time timestamp(6)
);
create table t_spark_config (
  id bigint primary key, app_id bigint not null, format smallint not null default 0, version int not null,
  latest boolean not null default false, content text not null, create_time timestamp(6)
);
create sequence demo_log_id;
create table t_app_log (
  id bigint primary key default nextval('demo_log_id'), app_id bigint, job_type smallint, cluster_id varchar(64), tracking_url varchar(255),
  success boolean, exception text, create_time timestamp(6), option_name smallint, user_id bigint
);

insert into t_team values (100000, 'shop', 'the demo team', localtimestamp);
insert into t_user values (100000, 'ada', localtimestamp);
insert into t_variable values
  (1, 'kafka.brokers', 'kafka-1:9092,kafka-2:9092', 100000, false),
  (2, 'doris.password', 'not-for-your-eyes', 100000, true);
insert into t_flink_env values (1, 'flink-1.20', '/opt/flink', '1.20.1', '', true);
insert into t_spark_env values (1, 'spark-3.5', '/opt/spark', '3.5.7', '', true);
insert into t_flink_cluster values (1, 'session', 'http://jobmanager:8081', null, 1, 1);
insert into t_setting values
  (16, 'lineage.gravitino.address', null, 'Gravitino address', '', 1),
  (17, 'lineage.gravitino.token', null, 'Gravitino token', '', 1),
  (18, 'lineage.gravitino.namespace', null, 'Job namespace', '', 1),
  (19, 'lineage.flink.native.listener.enable', 'false', 'Native listener', '', 2);
