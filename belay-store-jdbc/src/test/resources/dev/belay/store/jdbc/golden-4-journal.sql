-- A journal, in format 4. Recorded; never edited.
pragma application_id = 1112293753;
pragma user_version = 4;
begin;
CREATE TABLE format (
  version integer primary key,
  checksum text not null
) strict;
insert into "format" values (4, '92c1a53d972b92d5d1c56d7de3700ca3c88ecaae56d6b98c3101fba191dd870f');
CREATE TABLE owner (
  id text not null primary key,
  last_batch integer not null,
  crc integer not null
) strict, without rowid;
insert into "owner" values ('c47c9833e03faf59787b0591fab028c7', 22, 4119568975);
CREATE TABLE counter (
  parent text not null,
  name text not null,
  value integer not null,
  digest text,
  crc integer not null,
  primary key (parent, name)
) strict, without rowid;
CREATE TABLE secret (
  store text not null,
  id integer not null,
  bytes blob,
  crc integer not null,
  primary key (store, id)
) strict, without rowid;
insert into "secret" values ('store', 1, x'd5693127b7534d0889c9779e04b2a409c3e711087cbfee26748ed331cb786773', 1905172592);
insert into "secret" values ('store', 2, null, 1963480522);
insert into "secret" values ('store', 3, x'c26fd750ab1c9ea73c57c7e311a6785a9d895aca64c422fefff25866004d93e1', 3844263575);
CREATE TABLE content (
  hash text not null primary key,
  size integer not null check (size >= 0),
  written_at text not null,
  crc integer not null
) strict, without rowid;
insert into "content" values ('a56af2e9bfeba185d9f1ae0b88280e46325c593088cd0c3b1a308dc0df0e3677', 70002, '2026-11-15T10:00:05.000000000Z', 3160664883);
CREATE TABLE content_bytes (
  hash text not null primary key,
  bytes blob not null,
  crc integer not null
) strict;
insert into "content_bytes" values ('a56af2e9bfeba185d9f1ae0b88280e46325c593088cd0c3b1a308dc0df0e3677', cast('"' || replace(hex(zeroblob(35000)), '0', 'x') || '"' as blob), 54120251);
CREATE TABLE kept (
  keeper text not null,
  reference text not null,
  hash text not null,
  since text not null,
  crc integer not null,
  primary key (keeper, reference)
) strict, without rowid;
CREATE TABLE scope (
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
insert into "scope" values ('ended', 'batch@1', 'ENDED', null, 1, 0, 'c6d1728f89af006e47342ae1a08a725a', 1, '2026-11-15T10:00:10.000000000Z', null, null, null, 4, 0, 0, 0, 3874031907);
insert into "scope" values ('parked', 'batch@1', 'PARKED', null, 1, 0, '9ea00ed4cecb987fbf1efa6f9bd2d559', 1, '2026-11-15T10:00:03.000000000Z', '2026-11-15T10:01:00.000001500Z', null, null, 1, 3, 1, 0, 1389305651);
insert into "scope" values ('ready', 'batch@1', 'READY', null, 0, 0, '85a3ad62021cc3c96a46978886da915f', 1, '2026-11-15T10:00:05.000000000Z', null, 'no longer needed', null, 0, 0, 0, 0, 2277065660);
insert into "scope" values ('running', 'batch@1', 'RUNNING', 'c47c9833e03faf59787b0591fab028c7', 1, 0, '83d82b7f49add5e6d8a681c3e945e224', 1, '2026-11-15T10:00:00.000000000Z', null, null, null, 1, 0, 0, 0, 4201699020);
insert into "scope" values ('stuck', 'batch@1', 'STUCK', null, 1, 0, '77a5f7550d4e0f1e22dd368e13e2fd52', 1, '2026-11-15T10:00:04.000000000Z', null, null, 'replay_mismatch: another tool', 0, 0, 0, 0, 892374782);
CREATE TABLE scope_input (
  scope text not null primary key,
  value text not null,
  crc integer not null
) strict, without rowid;
insert into "scope_input" values ('ended', '{"calls": [1, 2]}', 1519254195);
insert into "scope_input" values ('parked', '{}', 3756608049);
insert into "scope_input" values ('ready', '1', 3622377781);
insert into "scope_input" values ('running', 'null', 186213860);
insert into "scope_input" values ('stuck', '[]', 3293005974);
CREATE TABLE scope_result (
  scope text not null primary key,
  value text,
  output text,
  crc integer not null,
  check ((value is null) <> (output is null))
) strict, without rowid;
insert into "scope_result" values ('ended', '{"outcomes":[]}', null, 1267071357);
CREATE TABLE effect (
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
insert into "effect" values ('ended', 'call/0/attempt/1', 0, 'attempt', 'abababababababababababababababababababababababababababababababab', '{"tool":"tool:pay","position":0}', 'COMPLETED', '{"amount":12.50}', '{"ok":"größer"}', null, 'cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd', 'READ', null, 1, '2026-11-15T10:00:01.000000000Z', '2026-11-15T10:00:01.000000000Z', 359548741);
insert into "effect" values ('ended', 'call/1/attempt/1', 1, 'attempt', 'abababababababababababababababababababababababababababababababab', '{"tool":"tool:pay","position":1}', 'IN_DOUBT', '{"amount":7}', '{"kind":"EXECUTION","code":"in_doubt"}', null, 'cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd', 'ONCE', 'account:7', 1, '2026-11-15T10:00:02.000000000Z', '2026-11-15T10:00:03.000000000Z', 2226729692);
insert into "effect" values ('ended', 'call/2/attempt/1', 2, 'attempt', 'abababababababababababababababababababababababababababababababab', '{"tool":"tool:pay","position":2}', 'FAILED', null, '{"kind":"IO"}', null, 'cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd', null, null, 1, '2026-11-15T10:00:04.000000000Z', '2026-11-15T10:00:04.000000000Z', 3268317390);
insert into "effect" values ('ended', 'call/3/attempt/1', 3, 'attempt', 'abababababababababababababababababababababababababababababababab', '{"tool":"tool:pay","position":3}', 'COMPLETED', null, null, 'a56af2e9bfeba185d9f1ae0b88280e46325c593088cd0c3b1a308dc0df0e3677', 'cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd', 'IDEMPOTENT', null, 1, '2026-11-15T10:00:05.000000000Z', '2026-11-15T10:00:05.000000000Z', 3666813939);
insert into "effect" values ('parked', 'call/0/attempt/1', 0, 'attempt', 'abababababababababababababababababababababababababababababababab', '{"tool":"tool:pay","position":0}', 'COMPLETED', '{}', '{"pending":true}', null, 'cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd', 'ONCE', null, 1, '2026-11-15T10:00:02.000000000Z', '2026-11-15T10:00:02.000000000Z', 2183941367);
insert into "effect" values ('running', 'call/0/attempt/1', 0, 'attempt', 'abababababababababababababababababababababababababababababababab', '{"tool":"tool:pay","position":0}', 'STARTED', '{}', null, null, 'cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd', 'ONCE', 'account:9', 1, '2026-11-15T10:00:07.000000000Z', '2026-11-15T10:00:07.000000000Z', 2661437901);
CREATE TABLE wait (
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
insert into "wait" values ('parked', 'call/0/completion', 'COMPLETION', 1, '2026-11-15T11:00:00.000000000Z', 'ask a person', null, null, 2291565903);
insert into "wait" values ('parked', 'call/0/early', 'COMPLETION', 0, null, null, '{"ok":{"paid":true}}', '2026-11-15T10:00:01.000000000Z', 2004956998);
insert into "wait" values ('parked', 'call/1/event', 'EVENT', 1, null, null, null, null, 2548987039);
CREATE TABLE late (
  scope text not null,
  key text not null,
  result text,
  output text,
  at text not null,
  crc integer not null,
  primary key (scope, key),
  check ((result is null) <> (output is null))
) strict, without rowid;
insert into "late" values ('ended', 'call/1/attempt/1', '{"ok":7}', null, '2026-11-15T10:00:09.000000000Z', 4214250010);
CREATE TABLE resource (
  name text not null primary key,
  owner text,
  scope text,
  key text,
  fence integer not null,
  crc integer not null,
  check ((owner is null) = (scope is null) and (owner is null) = (key is null))
) strict, without rowid;
insert into "resource" values ('account:7', null, null, null, 1, 3487756357);
insert into "resource" values ('account:9', 'c47c9833e03faf59787b0591fab028c7', 'running', 'call/0/attempt/1', 1, 2126708612);
CREATE TABLE session (
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
CREATE TABLE incarnation (
  incarnation text not null primary key check (length(incarnation) = 32),
  session text not null,
  crc integer not null
) strict, without rowid;
CREATE TABLE session_past (
  session text not null primary key,
  origin text not null,
  state text not null,
  crc integer not null
) strict, without rowid;
CREATE TABLE arrival (
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
CREATE TABLE turn (
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
CREATE TABLE message (
  session text not null,
  place integer not null check (place >= 0),
  turn integer not null check (turn >= 0),
  value text not null,
  crc integer not null,
  primary key (session, place)
) strict, without rowid;
CREATE TABLE ledger (
  session text not null,
  place integer not null check (place >= 0),
  turn integer not null check (turn >= 0),
  value text,
  output text,
  crc integer not null,
  primary key (session, place),
  check ((value is null) <> (output is null))
) strict, without rowid;
CREATE TABLE process (
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
CREATE TABLE process_grant (
  process text not null,
  session text not null,
  place integer not null,
  crc integer not null,
  primary key (process, session)
) strict, without rowid;
CREATE TABLE process_event (
  process text not null,
  key text not null,
  place integer not null check (place >= 1),
  type text not null,
  payload text not null,
  at text not null,
  crc integer not null,
  primary key (process, key)
) strict, without rowid;
CREATE TABLE process_watcher (
  process text not null,
  token text not null,
  crc integer not null,
  primary key (process, token)
) strict, without rowid;
CREATE TABLE session_profile (
  session text not null primary key,
  agent text not null,
  closed_at text,
  labels text not null,
  crc integer not null
) strict, without rowid;
CREATE TABLE audit (
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
CREATE TABLE doubt (
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
CREATE TABLE wait_key (
  scope text not null,
  name text not null,
  id text not null,
  place text,
  schema text,
  crc integer not null,
  primary key (scope, name)
) strict, without rowid;
insert into "wait_key" values ('parked', 'call/0/completion', 'wf187d771da8eb9de34dbd3cd', '2026-11-15T10:00:03.000000000Z wf187d771da8eb9de34dbd3cd', null, 510788974);
insert into "wait_key" values ('parked', 'call/1/event', 'wefcb90c8a643d93aa1b5b68d', '2026-11-15T10:00:03.000000000Z wefcb90c8a643d93aa1b5b68d', null, 1410978995);
CREATE TABLE pause (
  type text not null,
  name text not null,
  actor text not null,
  door text not null,
  reason text not null,
  since text not null,
  crc integer not null,
  primary key (type, name)
) strict, without rowid;
CREATE TABLE held (
  target text not null,
  scope text not null,
  since text not null,
  crc integer not null,
  primary key (target, scope)
) strict, without rowid;
CREATE TABLE awaited (
  scope text not null primary key,
  fence integer not null,
  what text not null,
  name text not null,
  since text not null,
  crc integer not null
) strict, without rowid;
CREATE INDEX content_age on content (written_at);
CREATE INDEX kept_hash on kept (hash);
CREATE INDEX scope_ready on scope (since) where status = 'READY';
CREATE INDEX scope_owner on scope (owner, since) where owner is not null;
CREATE INDEX scope_wake on scope (wake_at) where wake_at is not null;
CREATE INDEX scope_stuck on scope (since) where status = 'STUCK';
CREATE INDEX scope_ended on scope (since) where status = 'ENDED' and collected = 0;
CREATE INDEX scope_result_output on scope_result (output) where output is not null;
CREATE INDEX effect_output on effect (output) where output is not null;
CREATE INDEX wait_open on wait (scope, name) where resolution is null;
CREATE INDEX wait_due on wait (deadline) where resolution is null and deadline is not null;
CREATE INDEX late_output on late (output) where output is not null;
CREATE INDEX session_open on session (id) where open_loop = 1;
CREATE INDEX arrival_waiting on arrival (session, place) where turn is null;
CREATE INDEX arrival_input on arrival (session, place) where turn is null and kind = 'INPUT';
CREATE INDEX ledger_output on ledger (output) where output is not null;
CREATE UNIQUE INDEX process_place on process (place);
CREATE INDEX process_grant_session on process_grant (session, place);
CREATE INDEX process_event_place on process_event (process, place);
CREATE INDEX scope_ready_kind on scope (kind, since) where status = 'READY';
CREATE INDEX doubt_open on doubt (place) where settled_at is null;
CREATE INDEX doubt_guard on doubt (guard, place) where settled_at is null;
CREATE INDEX doubt_resource on doubt (resource, place) where settled_at is null and resource is not null;
CREATE INDEX doubt_answers on doubt (answers, place) where settled_at is null and answers is not null;
CREATE INDEX doubt_scope on doubt (scope, place) where settled_at is null;
CREATE INDEX doubt_session on doubt (session, place) where settled_at is null and session is not null;
CREATE INDEX wait_key_place on wait_key (place) where place is not null;
CREATE INDEX wait_key_id on wait_key (id, name);
CREATE INDEX scope_stuck_id on scope (id) where status = 'STUCK';
commit;
