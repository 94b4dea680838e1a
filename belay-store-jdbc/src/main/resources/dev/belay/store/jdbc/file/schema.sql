-- Format 4, the only one that is read. Tables and columns are those of dev.belay.runtime.store.rows, and the law over them keeps what
-- refers to what. Moments are text like 2026-11-15T10:00:00.000000000Z: always nine digits, so that their order is that of the text.
-- Each crc is the CRC32C of the table's name and the row's other values.
pragma application_id = 1112293753; -- "BLAy", so that tools can tell what the file is
pragma user_version = 4;

-- The text that made this file, so that a later change of it is noticed.
create table format (
  version integer primary key,
  checksum text not null
) strict;

-- Stores that share the file. last_batch answers whether a commit that was never answered has happened.
create table owner (
  id text not null primary key,
  last_batch integer not null,
  crc integer not null
) strict, without rowid;

create table counter (
  parent text not null,
  name text not null,
  value integer not null,
  digest text,
  crc integer not null,
  primary key (parent, name)
) strict, without rowid;

-- Keys of waits are signed by these. A revoked one keeps its number and loses its bytes.
create table secret (
  store text not null,
  id integer not null,
  bytes blob,
  crc integer not null,
  primary key (store, id)
) strict, without rowid;

create table content (
  hash text not null primary key,
  size integer not null check (size >= 0),
  written_at text not null,
  crc integer not null
) strict, without rowid;
create index content_age on content (written_at);

-- With a rowid, because rows of this size would make a tree by key deep.
create table content_bytes (
  hash text not null primary key,
  bytes blob not null,
  crc integer not null
) strict;

create table kept (
  keeper text not null,
  reference text not null,
  hash text not null,
  since text not null,
  crc integer not null,
  primary key (keeper, reference)
) strict, without rowid;
create index kept_hash on kept (hash);

create table scope (
  id text not null primary key,
  kind text not null,
  status text not null check (status in ('READY', 'RUNNING', 'PARKED', 'STUCK', 'ENDED')),
  owner text,
  fence integer not null check (fence >= 0),
  entries integer not null check (entries >= 0),
  incarnation text not null check (length(incarnation) = 32),
  secret integer not null,
  since text not null,
  wake_at text,
  cancel_reason text,
  stuck_because text,
  effects integer not null check (effects >= 0),
  waits integer not null check (waits >= 0),
  completions integer not null check (completions >= 0),
  collected integer not null check (collected in (0, 1)),
  crc integer not null,
  check ((status = 'RUNNING') = (owner is not null)),
  check ((status = 'STUCK') = (stuck_because is not null)),
  check (wake_at is null or status = 'PARKED')
) strict, without rowid;
-- each of these holds only rows that are looked for: parked scopes without a time are in none of them
create index scope_ready on scope (since) where status = 'READY';
create index scope_owner on scope (owner, since) where owner is not null;
create index scope_wake on scope (wake_at) where wake_at is not null;
create index scope_stuck on scope (since) where status = 'STUCK';
create index scope_ended on scope (since) where status = 'ENDED' and collected = 0;

-- Apart from the scope, whose row is written often.
create table scope_input (
  scope text not null primary key,
  value text not null,
  crc integer not null
) strict, without rowid;

create table scope_result (
  scope text not null primary key,
  value text,
  output text,
  crc integer not null,
  check ((value is null) <> (output is null))
) strict, without rowid;
create index scope_result_output on scope_result (output) where output is not null;

create table effect (
  scope text not null,
  key text not null,
  ordinal integer not null check (ordinal >= 0),
  kind text not null,
  hash text not null,
  identity text not null,
  status text not null check (status in ('STARTED', 'COMPLETED', 'FAILED', 'IN_DOUBT')),
  input text,
  result text,
  output text,
  fingerprint text,
  effect text check (effect in ('READ', 'IDEMPOTENT', 'ONCE')),
  resource text,
  fence integer not null,
  first_at text not null,
  last_at text not null,
  crc integer not null,
  primary key (scope, key),
  check (result is null or output is null)
) strict, without rowid;
create index effect_output on effect (output) where output is not null;

create table wait (
  scope text not null,
  name text not null,
  kind text not null check (kind in ('COMPLETION', 'EVENT')),
  opened integer not null check (opened in (0, 1)),
  deadline text,
  announcement text,
  resolution text,
  settled_at text,
  crc integer not null,
  primary key (scope, name),
  check (opened = 1 or resolution is not null),
  check ((resolution is null) = (settled_at is null))
) strict, without rowid;
create index wait_open on wait (scope, name) where resolution is null;
create index wait_due on wait (deadline) where resolution is null and deadline is not null;

create table late (
  scope text not null,
  key text not null,
  result text,
  output text,
  at text not null,
  crc integer not null,
  primary key (scope, key),
  check ((result is null) <> (output is null))
) strict, without rowid;
create index late_output on late (output) where output is not null;

create table resource (
  name text not null primary key,
  owner text,
  scope text,
  key text,
  fence integer not null,
  crc integer not null,
  check ((owner is null) = (scope is null) and (owner is null) = (key is null))
) strict, without rowid;

-- Every write of a turn touches one small row of its session and rows of that turn alone, however long the session is.
create table session (
  id text not null primary key,
  incarnation text not null check (length(incarnation) = 32),
  revision integer not null check (revision >= 0),
  active integer check (active = revision + 1),
  open_loop integer not null check (open_loop in (0, 1)),
  state_turn integer not null check (state_turn >= 0),
  messages integer not null check (messages >= 0),
  waiting integer not null check (waiting >= 0),
  last_place integer not null check (last_place >= 0),
  calls integer not null check (calls >= 0),
  created_at text not null,
  changed_at text not null,
  crc integer not null
) strict, without rowid;
create index session_open on session (id) where open_loop = 1;

create table incarnation (
  incarnation text not null primary key check (length(incarnation) = 32),
  session text not null,
  crc integer not null
) strict, without rowid;

create table session_past (
  session text not null primary key,
  origin text not null,
  state text not null,
  crc integer not null
) strict, without rowid;

create table arrival (
  session text not null,
  id text not null,
  place integer not null check (place >= 1),
  kind text not null check (kind in ('INPUT', 'COMMAND', 'NOTICE')),
  hash text not null,
  content text not null,
  turn integer,
  at text not null,
  crc integer not null,
  primary key (session, id)
) strict, without rowid;
create index arrival_waiting on arrival (session, place) where turn is null;
create index arrival_input on arrival (session, place) where turn is null and kind = 'INPUT';

create table turn (
  session text not null,
  turn integer not null check (turn >= 1),
  input text not null,
  accepted_at text not null,
  has_scope integer not null check (has_scope in (0, 1)),
  receipt text,
  result text,
  output text,
  state text,
  first_message integer,
  messages integer,
  first_call integer,
  calls integer,
  ended_at text,
  crc integer not null,
  primary key (session, turn),
  check ((receipt is null) = (ended_at is null) and (receipt is null) = (first_message is null)
    and (receipt is null) = (messages is null) and (receipt is null) = (first_call is null)
    and (receipt is null) = (calls is null)),
  check (receipt is not null or (state is null and result is null and output is null))
) strict, without rowid;

create table message (
  session text not null,
  place integer not null check (place >= 0),
  turn integer not null check (turn >= 0),
  value text not null,
  crc integer not null,
  primary key (session, place)
) strict, without rowid;

create table ledger (
  session text not null,
  place integer not null check (place >= 0),
  turn integer not null check (turn >= 0),
  value text,
  output text,
  crc integer not null,
  primary key (session, place),
  check ((value is null) <> (output is null))
) strict, without rowid;
create index ledger_output on ledger (output) where output is not null;

create table process (
  id text not null primary key,
  place integer not null check (place >= 1),
  hash text not null,
  started_at text not null,
  ended_at text,
  output text,
  events integer not null check (events >= 0),
  watchers integer not null check (watchers >= 0),
  crc integer not null
) strict, without rowid;
create unique index process_place on process (place);

create table process_grant (
  process text not null,
  session text not null,
  place integer not null,
  crc integer not null,
  primary key (process, session)
) strict, without rowid;
create index process_grant_session on process_grant (session, place);

create table process_event (
  process text not null,
  key text not null,
  place integer not null check (place >= 1),
  type text not null,
  payload text not null,
  at text not null,
  crc integer not null,
  primary key (process, key)
) strict, without rowid;
create index process_event_place on process_event (process, place);

create table process_watcher (
  process text not null,
  token text not null,
  crc integer not null,
  primary key (process, token)
) strict, without rowid;

-- A session without a profile is of the agent default, open and without labels.
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
  os_user text not null,
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
