-- A file of sessions as format 2 wrote it. Never edit: every later version must read it.
PRAGMA user_version=2;
PRAGMA application_id=1112293753;
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE arrival (
  session integer not null references session (n),
  id text not null,
  place integer not null check (place >= 1),
  kind text not null check (kind in ('INPUT', 'COMMAND')),
  hash text not null,
  content text not null,
  turn integer,
  at text not null,
  primary key (session, id)
) strict, without rowid;
INSERT INTO "arrival" VALUES(1,'compact',2,'COMMAND','cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc','{"keep":4}',NULL,'2026-11-15T10:00:01.000000000Z');
INSERT INTO "arrival" VALUES(1,'in-1',1,'INPUT','efefefefefefefefefefefefefefefefefefefefefefefefefefefefefefefef','{"say": "hello"}',1,'2026-11-15T10:00:00.000000000Z');
INSERT INTO "arrival" VALUES(1,'in-2',3,'INPUT','efefefefefefefefefefefefefefefefefefefefefefefefefefefefefefefef','2',1,'2026-11-15T10:00:02.000000000Z');
INSERT INTO "arrival" VALUES(1,'in-3',4,'INPUT','efefefefefefefefefefefefefefefefefefefefefefefefefefefefefefefef','3',2,'2026-11-15T10:00:03.000000000Z');
INSERT INTO "arrival" VALUES(2,'in-1',1,'INPUT','efefefefefefefefefefefefefefefefefefefefefefefefefefefefefefefef','"x"',1,'2026-11-15T10:00:05.000000000Z');
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
INSERT INTO "message" VALUES(1,0,1,'{"user": "hello"}');
INSERT INTO "message" VALUES(1,1,1,'{"assistant":"ä"}');
INSERT INTO "message" VALUES(3,0,0,'{"system":1}');
INSERT INTO "message" VALUES(3,1,1,'{"user":2}');
CREATE TABLE migration (version integer primary key, name text not null, checksum text not null) strict;
INSERT INTO "migration" VALUES(1,'V001__journal.sql','fe5787def36226cd23c29cd36f948825ec7da3d3a337d18e108353f8cdb32481');
INSERT INTO "migration" VALUES(2,'V002__sessions.sql','cc8f541d78bc65776190e5fa4704780f34b212149952cf0dbc3ba5fe05fdb541');
CREATE TABLE output (
  hash text not null primary key,
  written_at text not null
) strict, without rowid;
INSERT INTO "output" VALUES('a56af2e9bfeba185d9f1ae0b88280e46325c593088cd0c3b1a308dc0df0e3677','2026-11-15T10:00:06.000000000Z');
CREATE TABLE output_bytes (
  n integer primary key,
  hash text not null unique references output (hash) on delete cascade,
  bytes blob not null
) strict;
INSERT INTO "output_bytes" VALUES(1,'a56af2e9bfeba185d9f1ae0b88280e46325c593088cd0c3b1a308dc0df0e3677',cast('"' || replace(hex(zeroblob(35000)),'0','x') || '"' as blob));
CREATE TABLE owner (
  id text not null primary key,
  last_batch integer not null
) strict, without rowid;
INSERT INTO "owner" VALUES('6e21ec8254c6b971b97bd862caaf7a35',9);
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
INSERT INTO "scope" VALUES(1,'turn/01020304050607081112131415161718/1','1e2f763505d24053379a7760628f173ea01fee289eded889d2fab0de4948f3e6','ENDED',NULL,1,0,X'A91C5619481439FAE4ABE7FD5A8505D0',1,'2026-11-15T10:00:04.000000000Z',NULL,NULL,NULL,'{"text":"ä"}',NULL,0);
INSERT INTO "scope" VALUES(2,'turn/01020304050607081112131415161718/2','e27708b48872518f402ed84f8f62b24c2610d8c30ea782e6c4bcc8a07f33cc5b','RUNNING','6e21ec8254c6b971b97bd862caaf7a35',1,1,X'EBC780992B8D763D8324FF03F12DE22F',1,'2026-11-15T10:00:04.000000000Z',NULL,NULL,NULL,NULL,NULL,0);
INSERT INTO "scope" VALUES(3,'turn/00000000000000030000000000000004/1','509191dbaed93ded63ffcde20817bdc7374349d1e0a1b1a7ce8294f772b72d46','ENDED',NULL,1,0,X'1D46ABE07D6B897563D2737691A88156',1,'2026-11-15T10:00:06.000000000Z',NULL,NULL,NULL,NULL,'a56af2e9bfeba185d9f1ae0b88280e46325c593088cd0c3b1a308dc0df0e3677',0);
CREATE TABLE scope_input (
  scope integer primary key references scope (n),
  kind text not null,
  value text not null
) strict;
INSERT INTO "scope_input" VALUES(1,'turn/1','{"v":1,"session":"größer 😀","incarnation":"01020304050607081112131415161718","turn":1,"input":"in-1","content":{"say": "hello"}}');
INSERT INTO "scope_input" VALUES(2,'turn/1','{"v":1,"session":"größer 😀","incarnation":"01020304050607081112131415161718","turn":2,"input":"in-3","content":3}');
INSERT INTO "scope_input" VALUES(3,'turn/1','{"v":1,"session":"done","incarnation":"00000000000000030000000000000004","turn":1,"input":"in-1","content":"x"}');
CREATE TABLE secret (
  id integer primary key,
  bytes blob
) strict;
INSERT INTO "secret" VALUES(1,X'5B66084250521AC8083AC7000CC74FBA046CBFE116B6C8A63A7851E7D7ACA5CC');
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
INSERT INTO "session" VALUES(1,'größer 😀',X'01020304050607081112131415161718',1,2,2,4,1,'2026-11-15T10:00:00.000000000Z','2026-11-15T10:00:04.000000000Z');
INSERT INTO "session" VALUES(2,'done',X'00000000000000030000000000000004',1,NULL,0,1,0,'2026-11-15T10:00:05.000000000Z','2026-11-15T10:00:06.000000000Z');
INSERT INTO "session" VALUES(3,'fork',X'00000000000000050000000000000006',1,NULL,2,0,0,'2026-11-15T10:00:07.000000000Z','2026-11-15T10:00:07.000000000Z');
CREATE TABLE session_past (
  session integer primary key references session (n),
  origin text not null,
  state text not null
) strict;
INSERT INTO "session_past" VALUES(3,'{"fork":"done"}','{"given":true}');
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
INSERT INTO "turn" VALUES(1,1,'in-1','2026-11-15T10:00:00.000000000Z',1,'abababababababababababababababababababababababababababababababab',NULL,'{"tools":[]}',0,2,'2026-11-15T10:00:04.000000000Z');
INSERT INTO "turn" VALUES(1,2,'in-3','2026-11-15T10:00:04.000000000Z',2,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "turn" VALUES(2,1,'in-1','2026-11-15T10:00:05.000000000Z',3,'cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd',NULL,NULL,0,0,'2026-11-15T10:00:06.000000000Z');
INSERT INTO "turn" VALUES(3,1,'in-1','2026-11-15T10:00:05.000000000Z',NULL,'cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd','{"text":"old"}',NULL,1,1,'2026-11-15T10:00:06.000000000Z');
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
CREATE INDEX arrival_waiting on arrival (session, place) where turn is null;
CREATE INDEX resource_owner on resource (owner) where owner is not null;
COMMIT;
