-- Format 2: agents and operators. A session without a profile is of the agent default, open and without labels.
pragma user_version = 2;

create table session_profile (
  session text not null primary key,
  agent text not null,
  closed_at text,
  labels text not null,
  crc integer not null
) strict, without rowid;

-- A kind names the agent of a turn: work of other programs is not read by a look for one's own.
create index scope_ready_kind on scope (kind, since) where status = 'READY';

-- What operators did. Rows are only added.
create table audit (
  store text not null,
  place integer not null,
  at text not null,
  actor text not null,
  door text not null,
  verb text not null,
  target text not null,
  details text not null,
  digest text not null,
  crc integer not null,
  primary key (store, place)
) strict, without rowid;

-- Pauses that are in force, by type (everything, agent, tool, session) and name.
create table pause (
  type text not null,
  name text not null,
  actor text not null,
  door text not null,
  reason text not null,
  since text not null,
  crc integer not null,
  primary key (type, name)
) strict, without rowid;

-- Scopes that were parked because of a pause: its end finds them here.
create table held (
  target text not null,
  scope text not null,
  since text not null,
  crc integer not null,
  primary key (target, scope)
) strict, without rowid;
