-- Sessions, in format 4. Recorded; never edited.
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
insert into "owner" values ('ce40db10579953b5eea30006e9e258b7', 9, 3830659253);
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
insert into "secret" values ('store', 1, x'3a07ee23750154c326af6ef53a36455fc873121b38df17dd170c792fcc637f30', 609753281);
CREATE TABLE content (
  hash text not null primary key,
  size integer not null check (size >= 0),
  written_at text not null,
  crc integer not null
) strict, without rowid;
insert into "content" values ('a56af2e9bfeba185d9f1ae0b88280e46325c593088cd0c3b1a308dc0df0e3677', 70002, '2026-11-15T10:00:06.000000000Z', 4025587555);
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
insert into "scope" values ('turn/00000000000000030000000000000004/1', 'turn/1', 'ENDED', null, 1, 0, '875d606260b1fda7f14bf502069d94e8', 1, '2026-11-15T10:00:06.000000000Z', null, null, null, 0, 0, 0, 0, 2319394545);
insert into "scope" values ('turn/01020304050607081112131415161718/1', 'turn/1', 'ENDED', null, 1, 0, 'dd0381e3e6af71dcc3500c2280817b17', 1, '2026-11-15T10:00:04.000000000Z', null, null, null, 0, 0, 0, 0, 356718017);
insert into "scope" values ('turn/01020304050607081112131415161718/2', 'turn/1', 'RUNNING', 'ce40db10579953b5eea30006e9e258b7', 1, 1, '9515c8da6b7fae821f2ba8feb82cc4ec', 1, '2026-11-15T10:00:04.000000000Z', null, null, null, 0, 0, 0, 0, 2377041080);
CREATE TABLE scope_input (
  scope text not null primary key,
  value text not null,
  crc integer not null
) strict, without rowid;
insert into "scope_input" values ('turn/00000000000000030000000000000004/1', '{"v":1,"session":"done","incarnation":"00000000000000030000000000000004","turn":1,"input":"in-1","content":"x"}', 3137463721);
insert into "scope_input" values ('turn/01020304050607081112131415161718/1', '{"v":1,"session":"größer 😀","incarnation":"01020304050607081112131415161718","turn":1,"input":"in-1","content":{"say": "hello"}}', 678348411);
insert into "scope_input" values ('turn/01020304050607081112131415161718/2', '{"v":1,"session":"größer 😀","incarnation":"01020304050607081112131415161718","turn":2,"input":"in-3","content":3}', 1610891243);
CREATE TABLE scope_result (
  scope text not null primary key,
  value text,
  output text,
  crc integer not null,
  check ((value is null) <> (output is null))
) strict, without rowid;
insert into "scope_result" values ('turn/00000000000000030000000000000004/1', null, 'a56af2e9bfeba185d9f1ae0b88280e46325c593088cd0c3b1a308dc0df0e3677', 3259734955);
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
insert into "session" values ('done', '00000000000000030000000000000004', 1, null, 0, 0, 0, 0, 1, 0, '2026-11-15T10:00:05.000000000Z', '2026-11-15T10:00:06.000000000Z', 3245527120);
insert into "session" values ('fork', '00000000000000050000000000000006', 1, null, 0, 0, 2, 0, 0, 0, '2026-11-15T10:00:07.000000000Z', '2026-11-15T10:00:07.000000000Z', 675061079);
insert into "session" values ('größer 😀', '01020304050607081112131415161718', 1, 2, 0, 1, 2, 1, 4, 1, '2026-11-15T10:00:00.000000000Z', '2026-11-15T10:00:04.000000000Z', 3676913454);
CREATE TABLE incarnation (
  incarnation text not null primary key check (length(incarnation) = 32),
  session text not null,
  crc integer not null
) strict, without rowid;
insert into "incarnation" values ('00000000000000030000000000000004', 'done', 224377774);
insert into "incarnation" values ('00000000000000050000000000000006', 'fork', 663640151);
insert into "incarnation" values ('01020304050607081112131415161718', 'größer 😀', 740781448);
CREATE TABLE session_past (
  session text not null primary key,
  origin text not null,
  state text not null,
  crc integer not null
) strict, without rowid;
insert into "session_past" values ('fork', '{"fork":"done"}', '{"given":true}', 1244576862);
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
insert into "arrival" values ('done', 'in-1', 1, 'INPUT', 'efefefefefefefefefefefefefefefefefefefefefefefefefefefefefefefef', '"x"', 1, '2026-11-15T10:00:05.000000000Z', 3719377795);
insert into "arrival" values ('größer 😀', 'compact', 2, 'COMMAND', 'cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc', '{"keep":4}', null, '2026-11-15T10:00:01.000000000Z', 23102293);
insert into "arrival" values ('größer 😀', 'in-1', 1, 'INPUT', 'efefefefefefefefefefefefefefefefefefefefefefefefefefefefefefefef', '{"say": "hello"}', 1, '2026-11-15T10:00:00.000000000Z', 3859196159);
insert into "arrival" values ('größer 😀', 'in-2', 3, 'INPUT', 'efefefefefefefefefefefefefefefefefefefefefefefefefefefefefefefef', '2', 1, '2026-11-15T10:00:02.000000000Z', 3287554926);
insert into "arrival" values ('größer 😀', 'in-3', 4, 'INPUT', 'efefefefefefefefefefefefefefefefefefefefefefefefefefefefefefefef', '3', 2, '2026-11-15T10:00:03.000000000Z', 3072347451);
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
insert into "turn" values ('done', 1, 'in-1', '2026-11-15T10:00:05.000000000Z', 1, 'cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd', null, 'a56af2e9bfeba185d9f1ae0b88280e46325c593088cd0c3b1a308dc0df0e3677', null, 0, 0, 0, 0, '2026-11-15T10:00:06.000000000Z', 2915927858);
insert into "turn" values ('fork', 1, 'in-1', '2026-11-15T10:00:05.000000000Z', 0, 'cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd', '{"text":"old"}', null, null, 1, 1, 0, 0, '2026-11-15T10:00:06.000000000Z', 2362993698);
insert into "turn" values ('größer 😀', 1, 'in-1', '2026-11-15T10:00:00.000000000Z', 1, 'abababababababababababababababababababababababababababababababab', null, null, '{"tools":[]}', 0, 2, 0, 1, '2026-11-15T10:00:04.000000000Z', 3204259200);
insert into "turn" values ('größer 😀', 2, 'in-3', '2026-11-15T10:00:04.000000000Z', 1, null, null, null, null, null, null, null, null, null, 59767347);
CREATE TABLE message (
  session text not null,
  place integer not null check (place >= 0),
  turn integer not null check (turn >= 0),
  value text not null,
  crc integer not null,
  primary key (session, place)
) strict, without rowid;
insert into "message" values ('fork', 0, 0, '{"system":1}', 1403297651);
insert into "message" values ('fork', 1, 1, '{"user":2}', 315818072);
insert into "message" values ('größer 😀', 0, 1, '{"user": "hello"}', 3576918592);
insert into "message" values ('größer 😀', 1, 1, '{"assistant":"ä"}', 4203530376);
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
insert into "ledger" values ('größer 😀', 0, 1, '{"call":"c1"}', null, 1779609954);
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
