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

-- Calls that may have happened. Open ones are found by what they guard.
create table doubt (
  id text not null primary key,
  place integer not null,
  since text not null,
  scope text not null,
  key text not null,
  session text,
  guard text not null,
  resource text,
  answers text,
  holds text,
  owner text not null,
  over integer not null,
  call text not null,
  settlement text,
  settled_at text,
  crc integer not null
) strict, without rowid;
create index doubt_open on doubt (place) where settled_at is null;
create index doubt_guard on doubt (guard, place) where settled_at is null;
create index doubt_resource on doubt (resource, place) where settled_at is null and resource is not null;
create index doubt_answers on doubt (answers, place) where settled_at is null and answers is not null;
create index doubt_scope on doubt (scope, place) where settled_at is null;
create index doubt_session on doubt (session, place) where settled_at is null and session is not null;

-- Keys of waits that are not settled: what may settle them, and since when a scope waits.
create table wait_key (
  scope text not null,
  name text not null,
  id text not null,
  place text,
  schema text,
  crc integer not null,
  primary key (scope, name)
) strict, without rowid;

create index wait_key_place on wait_key (place) where place is not null;
create index wait_key_id on wait_key (id, name);

-- Moments are not unique, so a list that is read in pages goes by names.
create index scope_stuck_id on scope (id) where status = 'STUCK';

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

-- What scopes wait for without a wait: a model that does not answer, a resource. Only for lists.
create table awaited (
  scope text not null primary key,
  fence integer not null,
  what text not null,
  name text not null,
  since text not null,
  crc integer not null
) strict, without rowid;
