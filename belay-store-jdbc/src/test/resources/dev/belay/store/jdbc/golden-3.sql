-- A file of processes as format 3 wrote it. Never edit: every later version must read it.
PRAGMA user_version=3;
PRAGMA application_id=1112293753;
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE "arrival" (
  session integer not null references session (n),
  id text not null,
  place integer not null check (place >= 1),
  kind text not null check (kind in ('INPUT', 'COMMAND', 'NOTICE')),
  hash text not null,
  content text not null,
  turn integer,
  at text not null,
  primary key (session, id)
) strict, without rowid;
INSERT INTO "arrival" VALUES(1,'process-ended/report 😀',1,'NOTICE','cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd','{"process":"report 😀","text":"Note (process_ended): process report 😀 (nightly-report) completed: ä"}',NULL,'2026-11-15T10:00:03.000000000Z');
CREATE TABLE effect (
  scope integer not null references scope (n),
  key text not null,
  ordinal integer not null check (ordinal >= 0),
  kind text not null,
  hash text not null,
  identity text not null,
  status text not null check (status in ('STARTED', 'COMPLETED', 'FAILED', 'IN_DOUBT')),
  input text,
  result text,
  output text references output (hash),
  fingerprint text,
  effect text check (effect in ('READ', 'IDEMPOTENT', 'ONCE')),
  resource text,
  fence integer not null,
  first_at text not null,
  last_at text not null,
  primary key (scope, key),
  check (result is null or output is null)
) strict, without rowid;
CREATE TABLE late (
  scope integer not null references scope (n),
  key text not null,
  result text,
  output text references output (hash),
  at text not null,
  primary key (scope, key),
  check ((result is null) <> (output is null))
) strict, without rowid;
CREATE TABLE message (
  session integer not null references session (n),
  place integer not null check (place >= 0),
  turn integer not null check (turn >= 0),
  value text not null,
  primary key (session, place)
) strict, without rowid;
CREATE TABLE migration (version integer primary key, name text not null, checksum text not null) strict;
INSERT INTO "migration" VALUES(1,'V001__journal.sql','fe5787def36226cd23c29cd36f948825ec7da3d3a337d18e108353f8cdb32481');
INSERT INTO "migration" VALUES(2,'V002__sessions.sql','cc8f541d78bc65776190e5fa4704780f34b212149952cf0dbc3ba5fe05fdb541');
INSERT INTO "migration" VALUES(3,'V003__processes.sql','f23150148449a9535b00dfea3b8e1162198ca12979d0946fdc446e5a3c98ec59');
CREATE TABLE output (
  hash text not null primary key,
  written_at text not null
) strict, without rowid;
CREATE TABLE output_bytes (
  n integer primary key,
  hash text not null unique references output (hash) on delete cascade,
  bytes blob not null
) strict;
CREATE TABLE owner (
  id text not null primary key,
  last_batch integer not null
) strict, without rowid;
INSERT INTO "owner" VALUES('85e3d8e70637bf0222a213683af0b11f',10);
CREATE TABLE process (
  n integer primary key,
  id text not null unique,
  scope integer not null,
  hash text not null,
  started_at text not null,
  ended_at text
) strict;
INSERT INTO "process" VALUES(1,'report 😀',1,'abababababababababababababababababababababababababababababababab','2026-11-15T10:00:00.000000000Z','2026-11-15T10:00:03.000000000Z');
INSERT INTO "process" VALUES(2,'print',2,'abababababababababababababababababababababababababababababababab','2026-11-15T10:00:04.000000000Z',NULL);
INSERT INTO "process" VALUES(3,'tool',3,'abababababababababababababababababababababababababababababababab','2026-11-15T10:00:07.000000000Z',NULL);
INSERT INTO "process" VALUES(4,'turn',4,'abababababababababababababababababababababababababababababababab','2026-11-15T10:00:08.000000000Z',NULL);
CREATE TABLE process_event (
  process integer not null references process (n),
  place integer not null check (place >= 1),
  key text not null,
  type text not null,
  payload text not null,
  at text not null,
  primary key (process, place)
) strict, without rowid;
INSERT INTO "process_event" VALUES(1,1,'step/1/1','page','{"n": 1}','2026-11-15T10:00:01.000000000Z');
INSERT INTO "process_event" VALUES(1,2,'step/1/2','page','{"n": 2}','2026-11-15T10:00:02.000000000Z');
INSERT INTO "process_event" VALUES(2,1,'page-1','printed','true','2026-11-15T10:00:05.000000000Z');
CREATE TABLE process_grant (
  session integer not null references session (n),
  process integer not null references process (n),
  primary key (session, process)
) strict, without rowid;
INSERT INTO "process_grant" VALUES(1,1);
INSERT INTO "process_grant" VALUES(1,2);
CREATE TABLE process_watcher (
  process integer not null references process (n),
  token text not null,
  primary key (process, token)
) strict, without rowid;
INSERT INTO "process_watcher" VALUES(2,'token');
CREATE TABLE "resource" (
  name text not null primary key,
  owner text references owner (id),
  scope integer,
  key text,
  fence integer not null,
  check ((owner is null) = (scope is null) and (owner is null) = (key is null))
) strict, without rowid;
CREATE TABLE scope (
  n integer primary key,
  id text not null unique,
  input_hash text not null,
  status text not null check (status in ('READY', 'RUNNING', 'PARKED', 'STUCK', 'ENDED')),
  owner text references owner (id),
  fence integer not null,
  entries integer not null,
  incarnation blob not null check (length(incarnation) = 16),
  secret integer not null references secret (id),
  since text not null,
  wake_at text,
  cancel_reason text,
  stuck_because text,
  result text,
  output text references output (hash),
  collected integer not null default 0,
  check ((status = 'RUNNING') = (owner is not null)),
  check ((status = 'STUCK') = (stuck_because is not null)),
  check ((status = 'ENDED') = (result is not null or output is not null)),
  check (wake_at is null or status = 'PARKED')
) strict;
INSERT INTO "scope" VALUES(1,'process/report 😀','e46819710bb327d727ecd6661a16ce11af54081b51f0d22de51d6a83a6fc1e86','ENDED',NULL,1,0,X'54AC420CF95AF69353383001277A688E',1,'2026-11-15T10:00:03.000000000Z',NULL,NULL,NULL,'{"v":1,"completed":"ä"}',NULL,0);
INSERT INTO "scope" VALUES(2,'process/print','014bdee7c0d0ee0820931e1245b99552ca205372fe4aa0cfe1b90be2f7eff37b','PARKED',NULL,1,1,X'9550C9D5B369ECC3284EA6AE340723A8',1,'2026-11-15T10:00:06.000000000Z',NULL,NULL,NULL,NULL,NULL,0);
INSERT INTO "scope" VALUES(3,'process/tool','a29b4dad3cfd02790dcd43ca1a3eadf92a3bc5cfd8cc5b27c8bb5f86cb6f0834','RUNNING','85e3d8e70637bf0222a213683af0b11f',1,1,X'3E7A084382B99EB8D38F8DB0A833C523',1,'2026-11-15T10:00:07.000000000Z',NULL,NULL,NULL,NULL,NULL,0);
INSERT INTO "scope" VALUES(4,'process/turn','5700db8300960645036db2aa1b5676dbbbb624286fbbcf4d5dd69a1b02331533','READY',NULL,0,0,X'0C6EC8F802252E43312813CF892124B7',1,'2026-11-15T10:00:08.000000000Z',NULL,NULL,NULL,NULL,NULL,0);
CREATE TABLE scope_input (
  scope integer primary key references scope (n),
  kind text not null,
  value text not null
) strict;
INSERT INTO "scope_input" VALUES(1,'process/1','{"v":1,"process":"report 😀","incarnation":"00000000000000010000000000000002","start":{"recovery":"RERUN","work":{"body":"nightly-report","input":{"month":7}}}}');
INSERT INTO "scope_input" VALUES(2,'process/1','{"v":1,"process":"print","incarnation":"00000000000000030000000000000004","start":{"recovery":"EXTERNAL","work":{"external":"print","input":null}}}');
INSERT INTO "scope_input" VALUES(3,'process/1','{"v":1,"process":"tool","incarnation":"00000000000000050000000000000006","start":{"recovery":"NEVER","work":{"tool":"refund","arguments":{"order":42}}}}');
INSERT INTO "scope_input" VALUES(4,'process/1','{"v":1,"process":"turn","incarnation":"00000000000000070000000000000008","start":{"recovery":"RERUN","work":{"turn":"größer 😀","text":"Go on."}}}');
CREATE TABLE secret (
  id integer primary key,
  bytes blob
) strict;
INSERT INTO "secret" VALUES(1,X'C591C74444886E894CB9B29AFE77D6F4A697FF7F40493E1A2A2EBCA2598EF551');
CREATE TABLE session (
  n integer primary key,
  id text not null unique,
  incarnation blob not null unique check (length(incarnation) = 16),
  revision integer not null check (revision >= 0),
  active integer check (active = revision + 1),
  messages integer not null check (messages >= 0),
  last_place integer not null check (last_place >= 0),
  -- the turn that left the present state, which stands in its row; 0 for what the session began with
  state_turn integer not null default 0,
  created_at text not null,
  changed_at text not null
) strict;
INSERT INTO "session" VALUES(1,'größer 😀',X'01020304050607081112131415161718',0,NULL,0,1,0,'2026-11-15T10:00:00.000000000Z','2026-11-15T10:00:03.000000000Z');
CREATE TABLE session_past (
  session integer primary key references session (n),
  origin text not null,
  state text not null
) strict;
CREATE TABLE turn (
  session integer not null references session (n),
  turn integer not null check (turn >= 1),
  input text not null,
  accepted_at text not null,
  scope integer,
  receipt text,
  result text,
  state text,
  first_message integer,
  messages integer,
  ended_at text,
  primary key (session, turn),
  check ((scope is null) = (result is not null)),
  check ((receipt is null) = (ended_at is null) and (receipt is null) = (first_message is null)
    and (receipt is null) = (messages is null)),
  check (receipt is not null or (state is null and result is null))
) strict, without rowid;
CREATE TABLE wait (
  scope integer not null references scope (n),
  name text not null,
  kind text not null check (kind in ('COMPLETION', 'EVENT')),
  opened integer not null check (opened in (0, 1)),
  deadline text,
  announcement text,
  resolution text,
  settled_at text,
  primary key (scope, name),
  check (opened = 1 or resolution is not null),
  check ((resolution is null) = (settled_at is null))
) strict, without rowid;
INSERT INTO "wait" VALUES(2,'outcome','EVENT',1,NULL,NULL,NULL,NULL);
CREATE INDEX output_age on output (written_at);
CREATE INDEX scope_ready on scope (since) where status = 'READY';
CREATE INDEX scope_owner on scope (owner) where owner is not null;
CREATE INDEX scope_wake on scope (wake_at) where wake_at is not null;
CREATE INDEX scope_stuck on scope (since) where status = 'STUCK';
CREATE INDEX scope_ended on scope (since) where status = 'ENDED' and collected = 0;
CREATE INDEX scope_output on scope (output) where output is not null;
CREATE INDEX effect_output on effect (output) where output is not null;
CREATE INDEX wait_due on wait (deadline) where resolution is null and deadline is not null;
CREATE INDEX late_output on late (output) where output is not null;
CREATE INDEX resource_owner on resource (owner) where owner is not null;
CREATE INDEX process_grant_process on process_grant (process);
CREATE UNIQUE INDEX process_event_key on process_event (process, key);
CREATE INDEX arrival_waiting on arrival (session, place) where turn is null;
COMMIT;
