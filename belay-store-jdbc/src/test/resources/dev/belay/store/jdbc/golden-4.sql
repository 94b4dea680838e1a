-- A file of attachments as format 4 wrote it. Never edit: every later version must read it.
PRAGMA user_version=4;
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
INSERT INTO "arrival" VALUES(1,'in-1',1,'INPUT','efefefefefefefefefefefefefefefefefefefefefefefefefefefefefefefef','{"say":"hello"}',1,'2026-11-15T10:00:00.000000000Z');
INSERT INTO "arrival" VALUES(1,'in-2',2,'INPUT','efefefefefefefefefefefefefefefefefefefefefefefefefefefefefefefef','2',2,'2026-11-15T10:00:05.000000000Z');
CREATE TABLE attachment (
  keeper text not null,
  hash text not null references output (hash),
  media_type text not null,
  since text not null,
  primary key (keeper, hash, media_type)
) strict, without rowid;
INSERT INTO "attachment" VALUES('batch','bca09f4a757d5571c7d9f3341d4301f3c391c090826acc1a3013c6bcb7c01722','image/png','2026-11-15T10:00:08.000000000Z');
INSERT INTO "attachment" VALUES('process/report','45fbf6a67b5efa7dbcc0c0ccf6bdd7ce207300314c009282515896ea4cd7a4e6','text/plain; charset=utf-8','2026-11-15T10:00:07.000000000Z');
INSERT INTO "attachment" VALUES('turn/00000000000000050000000000000006/','45fbf6a67b5efa7dbcc0c0ccf6bdd7ce207300314c009282515896ea4cd7a4e6','text/plain; charset=utf-8','2026-11-15T10:00:01.000000000Z');
INSERT INTO "attachment" VALUES('turn/00000000000000050000000000000006/','bca09f4a757d5571c7d9f3341d4301f3c391c090826acc1a3013c6bcb7c01722','image/png','2026-11-15T10:00:02.000000000Z');
INSERT INTO "attachment" VALUES('turn/01020304050607081112131415161718/','45fbf6a67b5efa7dbcc0c0ccf6bdd7ce207300314c009282515896ea4cd7a4e6','text/plain; charset=utf-8','2026-11-15T10:00:01.000000000Z');
INSERT INTO "attachment" VALUES('turn/01020304050607081112131415161718/','bca09f4a757d5571c7d9f3341d4301f3c391c090826acc1a3013c6bcb7c01722','image/png','2026-11-15T10:00:02.000000000Z');
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
INSERT INTO "effect" VALUES(4,'call/1',1,'attempt','0000000000000000000000000000000000000000000000000000000000000000','{"tool":"pay"}','COMPLETED','{"amount":12.50}','{"ok":1}',NULL,'ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff','READ',NULL,1,'2026-11-15T10:00:00.000000000Z','2026-11-15T10:00:00.000000000Z');
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
INSERT INTO "message" VALUES(1,0,1,'{"user":"hello"}');
INSERT INTO "message" VALUES(2,0,1,'{"user":"hello"}');
CREATE TABLE migration (version integer primary key, name text not null, checksum text not null) strict;
INSERT INTO "migration" VALUES(1,'V001__journal.sql','fe5787def36226cd23c29cd36f948825ec7da3d3a337d18e108353f8cdb32481');
INSERT INTO "migration" VALUES(2,'V002__sessions.sql','cc8f541d78bc65776190e5fa4704780f34b212149952cf0dbc3ba5fe05fdb541');
INSERT INTO "migration" VALUES(3,'V003__processes.sql','f23150148449a9535b00dfea3b8e1162198ca12979d0946fdc446e5a3c98ec59');
INSERT INTO "migration" VALUES(4,'V004__attachments.sql','f4774503455b7f267657ce6d936d578dee58c00ef9a51b8ac33557a66e99be84');
CREATE TABLE output (
  hash text not null primary key,
  written_at text not null
) strict, without rowid;
INSERT INTO "output" VALUES('45fbf6a67b5efa7dbcc0c0ccf6bdd7ce207300314c009282515896ea4cd7a4e6','2026-11-15T10:00:07.000000000Z');
INSERT INTO "output" VALUES('bca09f4a757d5571c7d9f3341d4301f3c391c090826acc1a3013c6bcb7c01722','2026-11-15T10:00:08.000000000Z');
CREATE TABLE output_bytes (
  n integer primary key,
  hash text not null unique references output (hash) on delete cascade,
  bytes blob not null
) strict;
INSERT INTO "output_bytes" VALUES(1,'45fbf6a67b5efa7dbcc0c0ccf6bdd7ce207300314c009282515896ea4cd7a4e6',X'6772C3B6C39F6572');
INSERT INTO "output_bytes" VALUES(2,'bca09f4a757d5571c7d9f3341d4301f3c391c090826acc1a3013c6bcb7c01722',CAST(replace(hex(zeroblob(35000)), '0', 'x') AS BLOB));
CREATE TABLE owner (
  id text not null primary key,
  last_batch integer not null
) strict, without rowid;
INSERT INTO "owner" VALUES('c2edb4d8fb09916cdf7584f0eea9f29b',13);
CREATE TABLE process (
  n integer primary key,
  id text not null unique,
  scope integer not null,
  hash text not null,
  started_at text not null,
  ended_at text
) strict;
INSERT INTO "process" VALUES(1,'report',3,'abababababababababababababababababababababababababababababababab','2026-11-15T10:00:06.000000000Z',NULL);
CREATE TABLE process_event (
  process integer not null references process (n),
  place integer not null check (place >= 1),
  key text not null,
  type text not null,
  payload text not null,
  at text not null,
  primary key (process, place)
) strict, without rowid;
CREATE TABLE process_grant (
  session integer not null references session (n),
  process integer not null references process (n),
  primary key (session, process)
) strict, without rowid;
CREATE TABLE process_watcher (
  process integer not null references process (n),
  token text not null,
  primary key (process, token)
) strict, without rowid;
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
INSERT INTO "scope" VALUES(1,'turn/01020304050607081112131415161718/1','1e2f763505d24053379a7760628f173ea01fee289eded889d2fab0de4948f3e6','ENDED',NULL,1,0,X'352BDE1B579F3F52FA92A5BBAF4C00E0',1,'2026-11-15T10:00:03.000000000Z',NULL,NULL,NULL,'{"text":"ä"}',NULL,0);
INSERT INTO "scope" VALUES(2,'turn/01020304050607081112131415161718/2','18e7457c1e4fb16d0a2d21f151538660b3ba7792f342f49df4e173ecfe18b9a9','RUNNING','c2edb4d8fb09916cdf7584f0eea9f29b',1,1,X'202083FAF2AA6277C5E34F46285F7B83',1,'2026-11-15T10:00:05.000000000Z',NULL,NULL,NULL,NULL,NULL,0);
INSERT INTO "scope" VALUES(3,'process/report','e0223717a00517a095a2e40349e5ed1b8b742ab4c997caf0106bc452efb79b13','RUNNING','c2edb4d8fb09916cdf7584f0eea9f29b',1,1,X'CEFBE216FB8F99CDA42D91018B0CBACD',1,'2026-11-15T10:00:06.000000000Z',NULL,NULL,NULL,NULL,NULL,0);
INSERT INTO "scope" VALUES(4,'batch','ef6aaf84336bc9a5b749cb3d294f2ff298719fc95a01f16ec58430c4e49cabe2','ENDED',NULL,1,0,X'FEB4B876D74DAF34795C416A1EE7A49D',1,'2026-11-15T10:00:09.000000000Z',NULL,NULL,NULL,'true',NULL,0);
CREATE TABLE scope_input (
  scope integer primary key references scope (n),
  kind text not null,
  value text not null
) strict;
INSERT INTO "scope_input" VALUES(1,'turn/1','{"v":1,"session":"größer 😀","incarnation":"01020304050607081112131415161718","turn":1,"input":"in-1","content":{"say":"hello"}}');
INSERT INTO "scope_input" VALUES(2,'turn/1','{"v":1,"session":"größer 😀","incarnation":"01020304050607081112131415161718","turn":2,"input":"in-2","content":2}');
INSERT INTO "scope_input" VALUES(3,'process/1','{"v":1,"process":"report","incarnation":"00000000000000070000000000000008","start":{"recovery":"RERUN","work":{"external":"print","input":null}}}');
INSERT INTO "scope_input" VALUES(4,'batch@1','{"calls":[]}');
CREATE TABLE secret (
  id integer primary key,
  bytes blob
) strict;
INSERT INTO "secret" VALUES(1,X'14D786A1A27752DA2EE1332DF6A24CCF8AA37799DE51D5E9D2FF1BF9DADD1984');
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
INSERT INTO "session" VALUES(1,'größer 😀',X'01020304050607081112131415161718',1,2,1,2,0,'2026-11-15T10:00:00.000000000Z','2026-11-15T10:00:05.000000000Z');
INSERT INTO "session" VALUES(2,'fork',X'00000000000000050000000000000006',1,NULL,1,0,0,'2026-11-15T10:00:04.000000000Z','2026-11-15T10:00:04.000000000Z');
CREATE TABLE session_past (
  session integer primary key references session (n),
  origin text not null,
  state text not null
) strict;
INSERT INTO "session_past" VALUES(2,'{"forked":"größer 😀","turn":1}','null');
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
INSERT INTO "turn" VALUES(1,1,'in-1','2026-11-15T10:00:00.000000000Z',1,'abababababababababababababababababababababababababababababababab',NULL,NULL,0,1,'2026-11-15T10:00:03.000000000Z');
INSERT INTO "turn" VALUES(1,2,'in-2','2026-11-15T10:00:05.000000000Z',2,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "turn" VALUES(2,1,'in-1','2026-11-15T10:00:00.000000000Z',NULL,'abababababababababababababababababababababababababababababababab','{"text":"ä"}',NULL,0,1,'2026-11-15T10:00:03.000000000Z');
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
CREATE INDEX resource_owner on resource (owner) where owner is not null;
CREATE INDEX process_grant_process on process_grant (process);
CREATE UNIQUE INDEX process_event_key on process_event (process, key);
CREATE INDEX arrival_waiting on arrival (session, place) where turn is null;
CREATE INDEX attachment_output on attachment (hash);
COMMIT;
