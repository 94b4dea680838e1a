-- Profiles, doubts, notes and pauses, in format 4. Recorded; never edited.
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
insert into "owner" values ('93efd25fea0f253d64ddcd53b71c1eac', 12, 2926706452);
CREATE TABLE counter (
  parent text not null,
  name text not null,
  value integer not null,
  digest text,
  crc integer not null,
  primary key (parent, name)
) strict, without rowid;
insert into "counter" values ('store', 'audit', 2, 'cd0a4bb95bd07f80e72968113ff8c7f2648d737cb8a772ea805643d7993a0a80', 280365456);
insert into "counter" values ('store', 'doubt', 2, null, 2519522573);
insert into "counter" values ('store', 'pause', 1, null, 3296083419);
CREATE TABLE secret (
  store text not null,
  id integer not null,
  bytes blob,
  crc integer not null,
  primary key (store, id)
) strict, without rowid;
insert into "secret" values ('store', 1, x'a4dcffd3a52a82489e550b007b4ef425fcc68f34068eb6ac6bf1f951bc3006ff', 3626337659);
CREATE TABLE content (
  hash text not null primary key,
  size integer not null check (size >= 0),
  written_at text not null,
  crc integer not null
) strict, without rowid;
CREATE TABLE content_bytes (
  hash text not null primary key,
  bytes blob not null,
  crc integer not null
) strict;
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
insert into "scope" values ('batch', 'calls/1', 'RUNNING', '93efd25fea0f253d64ddcd53b71c1eac', 1, 0, '44f11dc7f8f2efbabdc0927458f36389', 1, '2026-11-15T10:00:00.000000000Z', null, null, null, 2, 2, 2, 0, 4227715245);
insert into "scope" values ('turn/00000000000000070000000000000008/1', 'turn/1/lawyer', 'READY', null, 0, 0, '6f7cf8fceddccb5d09025b7f3c7c1008', 1, '2026-11-15T10:00:01.000000000Z', null, null, null, 0, 0, 0, 0, 456294390);
CREATE TABLE scope_input (
  scope text not null primary key,
  value text not null,
  crc integer not null
) strict, without rowid;
insert into "scope_input" values ('batch', '{}', 3759255775);
insert into "scope_input" values ('turn/00000000000000070000000000000008/1', '{"v":1,"session":"case","incarnation":"00000000000000070000000000000008","turn":1,"agent":"lawyer","input":"in-1","content":1}', 1269407487);
CREATE TABLE scope_result (
  scope text not null primary key,
  value text,
  output text,
  crc integer not null,
  check ((value is null) <> (output is null))
) strict, without rowid;
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
insert into "effect" values ('batch', 'call/0/attempt/1', 0, 'attempt', 'abababababababababababababababababababababababababababababababab', '{"tool":"tool:pay","position":0}', 'IN_DOUBT', '{"amount":7}', '{"v":1,"ended":{"cancelled":"?"}}', null, 'cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd', 'ONCE', 'account:0', 1, '2026-11-15T10:00:01.000000000Z', '2026-11-15T10:00:02.000000000Z', 189768965);
insert into "effect" values ('batch', 'call/1/attempt/1', 1, 'attempt', 'abababababababababababababababababababababababababababababababab', '{"tool":"tool:pay","position":1}', 'IN_DOUBT', '{"amount":7}', '{"v":1,"ended":{"cancelled":"?"}}', null, 'cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd', 'ONCE', 'account:1', 1, '2026-11-15T10:00:01.000000000Z', '2026-11-15T10:00:02.000000000Z', 1989229086);
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
insert into "wait" values ('batch', 'call/0/wait', 'COMPLETION', 1, null, 'ask', null, null, 3309340506);
insert into "wait" values ('batch', 'call/1/wait', 'COMPLETION', 1, null, 'ask', null, null, 46545240);
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
CREATE TABLE resource (
  name text not null primary key,
  owner text,
  scope text,
  key text,
  fence integer not null,
  crc integer not null,
  check ((owner is null) = (scope is null) and (owner is null) = (key is null))
) strict, without rowid;
insert into "resource" values ('account:0', null, null, null, 1, 1574721918);
insert into "resource" values ('account:1', null, null, null, 1, 1829658907);
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
insert into "session" values ('case', '00000000000000070000000000000008', 0, 1, 0, 0, 0, 0, 1, 0, '2026-11-15T10:00:00.000000000Z', '2026-11-15T10:00:01.000000000Z', 1628830762);
CREATE TABLE incarnation (
  incarnation text not null primary key check (length(incarnation) = 32),
  session text not null,
  crc integer not null
) strict, without rowid;
insert into "incarnation" values ('00000000000000070000000000000008', 'case', 2864209979);
CREATE TABLE session_past (
  session text not null primary key,
  origin text not null,
  state text not null,
  crc integer not null
) strict, without rowid;
insert into "session_past" values ('case', 'null', 'null', 1649281688);
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
insert into "arrival" values ('case', 'in-1', 1, 'INPUT', 'efefefefefefefefefefefefefefefefefefefefefefefefefefefefefefefef', '1', 1, '2026-11-15T10:00:01.000000000Z', 3810602144);
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
insert into "turn" values ('case', 1, 'in-1', '2026-11-15T10:00:01.000000000Z', 1, null, null, null, null, null, null, null, null, null, 3954082748);
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
insert into "session_profile" values ('case', 'lawyer', '2026-11-15T10:00:02.000000000Z', '{"team":"größer","urgent":""}', 2472717337);
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
insert into "audit" values ('store', 1, '2026-11-15T10:00:03.000000000Z', 'on-call', 'test', 'root', 'settle', 'doubt', '{"reason":"no trace"}', '7b7f321f97d515b68399f2fcc7f16b6e78332f976d9b6a034f333741c13d2a47', 1137104568);
insert into "audit" values ('store', 2, '2026-11-15T10:00:04.000000000Z', 'on-call', 'test', 'root', 'pause', 'tool/pay', '{"reason":"audit"}', 'cd0a4bb95bd07f80e72968113ff8c7f2648d737cb8a772ea805643d7993a0a80', 925747121);
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
insert into "doubt" values ('286f359192464bc6cbf561e7', 1, '2026-11-15T10:00:02.000000000Z', 'batch', 'call/0/attempt/1', 'case', 'guard 0', 'account:0', 'batch call/0/completion', null, '93efd25fea0f253d64ddcd53b71c1eac', 1, '{"turn":1,"call":"c0","tool":"tool:pay","name":"pay","arguments":{"amount":7},"fingerprint":"cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd","idempotency":"efefefefefefefefefefefefefefefefefefefefefefefefefefefefefefefef","code":"in_doubt","why":"größer"}', null, null, 904373683);
insert into "doubt" values ('ce0c1b353a5ff1445438f82a', 2, '2026-11-15T10:00:02.000000000Z', 'batch', 'call/1/attempt/1', 'case', 'guard 1', 'account:1', 'batch call/1/completion', null, '93efd25fea0f253d64ddcd53b71c1eac', 1, '{"turn":1,"call":"c1","tool":"tool:pay","name":"pay","arguments":{"amount":7},"fingerprint":"cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd","idempotency":"efefefefefefefefefefefefefefefefefefefefefefefefefefefefefefefef","code":"in_doubt","why":"größer"}', '{"did_not_happen":"no trace","by":"on-call","door":"test"}', '2026-11-15T10:00:03.000000000Z', 1418622141);
CREATE TABLE wait_key (
  scope text not null,
  name text not null,
  id text not null,
  place text,
  schema text,
  crc integer not null,
  primary key (scope, name)
) strict, without rowid;
insert into "wait_key" values ('batch', 'call/0/wait', 'w16deb2794d8d7049e26bf9a5', '2026-11-15T10:00:02.000000000Z w16deb2794d8d7049e26bf9a5', null, 2656778141);
insert into "wait_key" values ('batch', 'call/1/wait', 'w42723b825cd14191e858039a', '2026-11-15T10:00:02.000000000Z w42723b825cd14191e858039a', null, 2830710114);
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
insert into "pause" values ('tool', 'pay', 'on-call', 'test', 'audit', '2026-11-15T10:00:04.000000000Z', 581824078);
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
insert into "awaited" values ('batch', 1, 'RESOURCE', 'größer', '2026-11-15T10:00:05.000000000Z', 3578584427);
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
