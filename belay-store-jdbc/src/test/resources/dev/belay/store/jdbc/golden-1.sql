-- A journal as format 1 wrote it. Never edit: every later version must read it.
PRAGMA user_version=1;
PRAGMA application_id=1112293753;
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE migration (version integer primary key, name text not null, checksum text not null) strict;
INSERT INTO migration VALUES(1,'V001__journal.sql','fe5787def36226cd23c29cd36f948825ec7da3d3a337d18e108353f8cdb32481');
CREATE TABLE owner (
  id text not null primary key,
  last_batch integer not null
) strict, without rowid;
INSERT INTO owner VALUES('bdd732262feb6e9528efe333b266f103',22);
CREATE TABLE secret (
  id integer primary key,
  bytes blob
) strict;
INSERT INTO secret VALUES(1,X'529f0f135767524794e34a0effe11c58f22348245a58bc0906db803cfa3144de');
INSERT INTO secret VALUES(2,NULL);
INSERT INTO secret VALUES(3,X'e8a355644b4413f5996e1f26dda6b312d515ca00b18f8d9991c87454d475ac9e');
CREATE TABLE output (
  hash text not null primary key,
  written_at text not null
) strict, without rowid;
INSERT INTO output VALUES('a56af2e9bfeba185d9f1ae0b88280e46325c593088cd0c3b1a308dc0df0e3677','2026-11-15T10:00:05.000000000Z');
CREATE TABLE output_bytes (
  n integer primary key,
  hash text not null unique references output (hash) on delete cascade,
  bytes blob not null
) strict;
INSERT INTO output_bytes VALUES(1,'a56af2e9bfeba185d9f1ae0b88280e46325c593088cd0c3b1a308dc0df0e3677',cast('"' || replace(hex(zeroblob(35000)),'0','x') || '"' as blob));
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
INSERT INTO scope VALUES(1,'ended','c26fc85e0e36b382cf3b2a8f28e453dece2bd71a7fd1ea317052b85edd405129','ENDED',NULL,1,0,X'37e9671c45376d5dccf635ee9e9e2fa4',1,'2026-11-15T10:00:10.000000000Z',NULL,NULL,NULL,'{"outcomes":[]}',NULL,0);
INSERT INTO scope VALUES(2,'parked','5519c29143922c0708428057cbc85106eadccb99bd4d05329c08a85ae2ad338e','PARKED',NULL,1,0,X'5705b8770b3d7dd59e54d738297f77ae',1,'2026-11-15T10:00:03.000000000Z','2026-11-15T10:01:00.000001500Z',NULL,NULL,NULL,NULL,0);
INSERT INTO scope VALUES(3,'stuck','ea8a34219c0d66da5b91394832801a17dd769e8a33876349e76b3184a6e3fdd6','STUCK',NULL,1,0,X'3474724a775b19bf7e348a0e451650be',1,'2026-11-15T10:00:04.000000000Z',NULL,NULL,'replay_mismatch: another tool',NULL,NULL,0);
INSERT INTO scope VALUES(4,'ready','1ad915dd7a09babffcc30f2ecde6f05348d734832cae837c86acdc191c6f08dc','READY',NULL,0,0,X'836ded897f3e46e6851f977347ed6db7',1,'2026-11-15T10:00:05.000000000Z',NULL,'no longer needed',NULL,NULL,NULL,0);
INSERT INTO scope VALUES(5,'running','8fdd87c1370be618948d76c4abb0aeb2cee0d89f5321577bc1d8b32b9e5c128c','RUNNING','bdd732262feb6e9528efe333b266f103',1,0,X'aa47e31c02e78edc341452c54d7c33f2',1,'2026-11-15T10:00:00.000000000Z',NULL,NULL,NULL,NULL,NULL,0);
CREATE TABLE scope_input (
  scope integer primary key references scope (n),
  kind text not null,
  value text not null
) strict;
INSERT INTO scope_input VALUES(1,'batch@1','{"calls": [1, 2]}');
INSERT INTO scope_input VALUES(2,'batch@1','{}');
INSERT INTO scope_input VALUES(3,'batch@1','[]');
INSERT INTO scope_input VALUES(4,'batch@1','1');
INSERT INTO scope_input VALUES(5,'batch@1','null');
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
INSERT INTO effect VALUES(1,'call/0/attempt/1',0,'attempt','abababababababababababababababababababababababababababababababab','{"tool":"tool:pay","position":0}','COMPLETED','{"amount":12.50}','{"ok":"größer"}',NULL,'cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd','READ',NULL,1,'2026-11-15T10:00:01.000000000Z','2026-11-15T10:00:01.000000000Z');
INSERT INTO effect VALUES(1,'call/1/attempt/1',1,'attempt','abababababababababababababababababababababababababababababababab','{"tool":"tool:pay","position":1}','IN_DOUBT','{"amount":7}','{"kind":"EXECUTION","code":"in_doubt"}',NULL,'cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd','ONCE','account:7',1,'2026-11-15T10:00:02.000000000Z','2026-11-15T10:00:03.000000000Z');
INSERT INTO effect VALUES(1,'call/2/attempt/1',2,'attempt','abababababababababababababababababababababababababababababababab','{"tool":"tool:pay","position":2}','FAILED',NULL,'{"kind":"IO"}',NULL,'cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd',NULL,NULL,1,'2026-11-15T10:00:04.000000000Z','2026-11-15T10:00:04.000000000Z');
INSERT INTO effect VALUES(1,'call/3/attempt/1',3,'attempt','abababababababababababababababababababababababababababababababab','{"tool":"tool:pay","position":3}','COMPLETED',NULL,NULL,'a56af2e9bfeba185d9f1ae0b88280e46325c593088cd0c3b1a308dc0df0e3677','cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd','IDEMPOTENT',NULL,1,'2026-11-15T10:00:05.000000000Z','2026-11-15T10:00:05.000000000Z');
INSERT INTO effect VALUES(2,'call/0/attempt/1',0,'attempt','abababababababababababababababababababababababababababababababab','{"tool":"tool:pay","position":0}','COMPLETED','{}','{"pending":true}',NULL,'cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd','ONCE',NULL,1,'2026-11-15T10:00:02.000000000Z','2026-11-15T10:00:02.000000000Z');
INSERT INTO effect VALUES(5,'call/0/attempt/1',0,'attempt','abababababababababababababababababababababababababababababababab','{"tool":"tool:pay","position":0}','STARTED','{}',NULL,NULL,'cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd','ONCE','account:9',1,'2026-11-15T10:00:07.000000000Z','2026-11-15T10:00:07.000000000Z');
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
INSERT INTO wait VALUES(2,'call/0/completion','COMPLETION',1,'2026-11-15T11:00:00.000000000Z','ask a person',NULL,NULL);
INSERT INTO wait VALUES(2,'call/0/early','COMPLETION',0,NULL,NULL,'{"ok":{"paid":true}}','2026-11-15T10:00:01.000000000Z');
INSERT INTO wait VALUES(2,'call/1/event','EVENT',1,NULL,NULL,NULL,NULL);
CREATE TABLE late (
  scope integer not null references scope (n),
  key text not null,
  result text,
  output text references output (hash),
  at text not null,
  primary key (scope, key),
  check ((result is null) <> (output is null))
) strict, without rowid;
INSERT INTO late VALUES(1,'call/1/attempt/1','{"ok":7}',NULL,'2026-11-15T10:00:09.000000000Z');
CREATE TABLE resource (
  name text not null primary key,
  owner text references owner (id),
  scope integer references scope (n),
  key text,
  fence integer not null,
  check ((owner is null) = (scope is null) and (owner is null) = (key is null))
) strict, without rowid;
INSERT INTO resource VALUES('account:7',NULL,NULL,NULL,1);
INSERT INTO resource VALUES('account:9','bdd732262feb6e9528efe333b266f103',5,'call/0/attempt/1',1);
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
COMMIT;
