-- The journal, first version. Moments are text like 2026-11-15T10:00:00.000000000Z: always nine digits, so that their order
-- is that of the text.
pragma application_id = 1112293753; -- "BLAy", so that tools can tell what the file is

-- Journals that share the file. One that is not alive any more leaves its row until its scopes are taken.
-- last_batch answers whether a commit that was never answered has happened.
create table owner (
  id text not null primary key,
  last_batch integer not null
) strict, without rowid;

-- Keys of waits are signed by these. A revoked one keeps its number and loses its bytes.
create table secret (
  id integer primary key,
  bytes blob
) strict;

-- Large results, once each, by the SHA-256 of their bytes. Apart from the bytes, so that a touch does not move them.
create table output (
  hash text not null primary key,
  written_at text not null
) strict, without rowid;
create index output_age on output (written_at);

create table output_bytes (
  n integer primary key,
  hash text not null unique references output (hash) on delete cascade,
  bytes blob not null
) strict;

create table scope (
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
-- each of these holds only what somebody looks for: parked scopes without a time are in none of them
create index scope_ready on scope (since) where status = 'READY';
create index scope_owner on scope (owner) where owner is not null;
create index scope_wake on scope (wake_at) where wake_at is not null;
create index scope_stuck on scope (since) where status = 'STUCK';
create index scope_ended on scope (since) where status = 'ENDED' and collected = 0;
create index scope_output on scope (output) where output is not null;

-- Apart from the scope, whose row is written often.
create table scope_input (
  scope integer primary key references scope (n),
  kind text not null,
  value text not null
) strict;

create table effect (
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
create index effect_output on effect (output) where output is not null;

create table wait (
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
create index wait_due on wait (deadline) where resolution is null and deadline is not null;

create table late (
  scope integer not null references scope (n),
  key text not null,
  result text,
  output text references output (hash),
  at text not null,
  primary key (scope, key),
  check ((result is null) <> (output is null))
) strict, without rowid;
create index late_output on late (output) where output is not null;

-- Who holds a resource. A row stays when it is released, because its fence must grow.
create table resource (
  name text not null primary key,
  owner text references owner (id),
  scope integer references scope (n),
  key text,
  fence integer not null,
  check ((owner is null) = (scope is null) and (owner is null) = (key is null))
) strict, without rowid;
create index resource_owner on resource (owner) where owner is not null;
