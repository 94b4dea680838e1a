-- Attachments, in format 4. Recorded; never edited.
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
insert into "owner" values ('cab674deed1b6623117572d68be38554', 13, 1964530353);
CREATE TABLE counter (
  parent text not null,
  name text not null,
  value integer not null,
  digest text,
  crc integer not null,
  primary key (parent, name)
) strict, without rowid;
insert into "counter" values ('process', '', 1, null, 541518273);
CREATE TABLE secret (
  store text not null,
  id integer not null,
  bytes blob,
  crc integer not null,
  primary key (store, id)
) strict, without rowid;
insert into "secret" values ('store', 1, x'cd052a8627690503f92e3dee50b5e1121153e292ea8cdc990f00e2ec4be27c25', 1154319501);
CREATE TABLE content (
  hash text not null primary key,
  size integer not null check (size >= 0),
  written_at text not null,
  crc integer not null
) strict, without rowid;
insert into "content" values ('45fbf6a67b5efa7dbcc0c0ccf6bdd7ce207300314c009282515896ea4cd7a4e6', 8, '2026-11-15T10:00:07.000000000Z', 2253116925);
insert into "content" values ('bca09f4a757d5571c7d9f3341d4301f3c391c090826acc1a3013c6bcb7c01722', 70000, '2026-11-15T10:00:08.000000000Z', 2616167714);
CREATE TABLE content_bytes (
  hash text not null primary key,
  bytes blob not null,
  crc integer not null
) strict;
insert into "content_bytes" values ('45fbf6a67b5efa7dbcc0c0ccf6bdd7ce207300314c009282515896ea4cd7a4e6', x'6772c3b6c39f6572', 3116458327);
insert into "content_bytes" values ('bca09f4a757d5571c7d9f3341d4301f3c391c090826acc1a3013c6bcb7c01722', cast('' || replace(hex(zeroblob(35000)), '0', 'x') || '' as blob), 2712108913);
CREATE TABLE kept (
  keeper text not null,
  reference text not null,
  hash text not null,
  since text not null,
  crc integer not null,
  primary key (keeper, reference)
) strict, without rowid;
insert into "kept" values ('batch', 'bca09f4a757d5571c7d9f3341d4301f3c391c090826acc1a3013c6bcb7c01722 image/png', 'bca09f4a757d5571c7d9f3341d4301f3c391c090826acc1a3013c6bcb7c01722', '2026-11-15T10:00:08.000000000Z', 3347599180);
insert into "kept" values ('process/report', '45fbf6a67b5efa7dbcc0c0ccf6bdd7ce207300314c009282515896ea4cd7a4e6 text/plain; charset=utf-8', '45fbf6a67b5efa7dbcc0c0ccf6bdd7ce207300314c009282515896ea4cd7a4e6', '2026-11-15T10:00:07.000000000Z', 2381104518);
insert into "kept" values ('turn/00000000000000050000000000000006/', '45fbf6a67b5efa7dbcc0c0ccf6bdd7ce207300314c009282515896ea4cd7a4e6 text/plain; charset=utf-8', '45fbf6a67b5efa7dbcc0c0ccf6bdd7ce207300314c009282515896ea4cd7a4e6', '2026-11-15T10:00:01.000000000Z', 4061421428);
insert into "kept" values ('turn/00000000000000050000000000000006/', 'bca09f4a757d5571c7d9f3341d4301f3c391c090826acc1a3013c6bcb7c01722 image/png', 'bca09f4a757d5571c7d9f3341d4301f3c391c090826acc1a3013c6bcb7c01722', '2026-11-15T10:00:02.000000000Z', 2298182520);
insert into "kept" values ('turn/01020304050607081112131415161718/', '45fbf6a67b5efa7dbcc0c0ccf6bdd7ce207300314c009282515896ea4cd7a4e6 text/plain; charset=utf-8', '45fbf6a67b5efa7dbcc0c0ccf6bdd7ce207300314c009282515896ea4cd7a4e6', '2026-11-15T10:00:01.000000000Z', 2531863326);
insert into "kept" values ('turn/01020304050607081112131415161718/', 'bca09f4a757d5571c7d9f3341d4301f3c391c090826acc1a3013c6bcb7c01722 image/png', 'bca09f4a757d5571c7d9f3341d4301f3c391c090826acc1a3013c6bcb7c01722', '2026-11-15T10:00:02.000000000Z', 2468633575);
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
insert into "scope" values ('batch', 'batch@1', 'ENDED', null, 1, 0, 'ce47aa63898cd8f186609f15cac8c99c', 1, '2026-11-15T10:00:09.000000000Z', null, null, null, 1, 0, 0, 0, 1218805268);
insert into "scope" values ('process/report', 'process/1', 'RUNNING', 'cab674deed1b6623117572d68be38554', 1, 1, '247a46ea5113de130e2ab16bbea9fab1', 1, '2026-11-15T10:00:06.000000000Z', null, null, null, 0, 0, 0, 0, 634027907);
insert into "scope" values ('turn/01020304050607081112131415161718/1', 'turn/1', 'ENDED', null, 1, 0, '50caf25c9bbe4f65ea6cb91b97d2eef7', 1, '2026-11-15T10:00:03.000000000Z', null, null, null, 0, 0, 0, 0, 3553996642);
insert into "scope" values ('turn/01020304050607081112131415161718/2', 'turn/1', 'RUNNING', 'cab674deed1b6623117572d68be38554', 1, 1, 'cf9c12a1bc3d0ed93645956657cc8e26', 1, '2026-11-15T10:00:05.000000000Z', null, null, null, 0, 0, 0, 0, 1588148178);
CREATE TABLE scope_input (
  scope text not null primary key,
  value text not null,
  crc integer not null
) strict, without rowid;
insert into "scope_input" values ('batch', '{"calls":[]}', 2453915865);
insert into "scope_input" values ('process/report', '{"v":1,"process":"report","incarnation":"00000000000000070000000000000008","start":{"recovery":"RERUN","work":{"external":"print","input":null}}}', 2699108511);
insert into "scope_input" values ('turn/01020304050607081112131415161718/1', '{"v":1,"session":"größer 😀","incarnation":"01020304050607081112131415161718","turn":1,"input":"in-1","content":{"say":"hello"}}', 3486460467);
insert into "scope_input" values ('turn/01020304050607081112131415161718/2', '{"v":1,"session":"größer 😀","incarnation":"01020304050607081112131415161718","turn":2,"input":"in-2","content":2}', 338188957);
CREATE TABLE scope_result (
  scope text not null primary key,
  value text,
  output text,
  crc integer not null,
  check ((value is null) <> (output is null))
) strict, without rowid;
insert into "scope_result" values ('batch', 'true', null, 2510831970);
insert into "scope_result" values ('turn/01020304050607081112131415161718/1', '{"text":"ä"}', null, 3099196028);
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
insert into "effect" values ('batch', 'call/1', 1, 'attempt', '0000000000000000000000000000000000000000000000000000000000000000', '{"tool":"pay"}', 'COMPLETED', '{"amount":12.50}', '{"ok":1}', null, 'ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff', 'READ', null, 1, '2026-11-15T10:00:00.000000000Z', '2026-11-15T10:00:00.000000000Z', 3017607990);
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
insert into "session" values ('fork', '00000000000000050000000000000006', 1, null, 0, 0, 1, 0, 0, 0, '2026-11-15T10:00:04.000000000Z', '2026-11-15T10:00:04.000000000Z', 1636573050);
insert into "session" values ('größer 😀', '01020304050607081112131415161718', 1, 2, 0, 0, 1, 0, 2, 0, '2026-11-15T10:00:00.000000000Z', '2026-11-15T10:00:05.000000000Z', 905415951);
CREATE TABLE incarnation (
  incarnation text not null primary key check (length(incarnation) = 32),
  session text not null,
  crc integer not null
) strict, without rowid;
insert into "incarnation" values ('00000000000000050000000000000006', 'fork', 663640151);
insert into "incarnation" values ('01020304050607081112131415161718', 'größer 😀', 740781448);
CREATE TABLE session_past (
  session text not null primary key,
  origin text not null,
  state text not null,
  crc integer not null
) strict, without rowid;
insert into "session_past" values ('fork', '{"forked":"größer 😀","turn":1}', 'null', 1678898964);
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
insert into "arrival" values ('größer 😀', 'in-1', 1, 'INPUT', 'efefefefefefefefefefefefefefefefefefefefefefefefefefefefefefefef', '{"say":"hello"}', 1, '2026-11-15T10:00:00.000000000Z', 3354230841);
insert into "arrival" values ('größer 😀', 'in-2', 2, 'INPUT', 'efefefefefefefefefefefefefefefefefefefefefefefefefefefefefefefef', '2', 2, '2026-11-15T10:00:05.000000000Z', 4072629701);
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
insert into "turn" values ('fork', 1, 'in-1', '2026-11-15T10:00:00.000000000Z', 0, 'abababababababababababababababababababababababababababababababab', '{"text":"ä"}', null, null, 0, 1, 0, 0, '2026-11-15T10:00:03.000000000Z', 4002524387);
insert into "turn" values ('größer 😀', 1, 'in-1', '2026-11-15T10:00:00.000000000Z', 1, 'abababababababababababababababababababababababababababababababab', null, null, null, 0, 1, 0, 0, '2026-11-15T10:00:03.000000000Z', 1759329539);
insert into "turn" values ('größer 😀', 2, 'in-2', '2026-11-15T10:00:05.000000000Z', 1, null, null, null, null, null, null, null, null, null, 2738972110);
CREATE TABLE message (
  session text not null,
  place integer not null check (place >= 0),
  turn integer not null check (turn >= 0),
  value text not null,
  crc integer not null,
  primary key (session, place)
) strict, without rowid;
insert into "message" values ('fork', 0, 1, '{"user":"hello"}', 1958663337);
insert into "message" values ('größer 😀', 0, 1, '{"user":"hello"}', 2087363950);
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
insert into "process" values ('report', 1, 'abababababababababababababababababababababababababababababababab', '2026-11-15T10:00:06.000000000Z', null, null, 0, 0, 2956588246);
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
