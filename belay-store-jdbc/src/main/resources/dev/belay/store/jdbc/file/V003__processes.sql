-- Processes beside sessions. How a process stands and what it ended with is what its scope says; what it is to do stands in the
-- input of the scope.

-- No foreign key on the scope: scopes of turns are deleted, and each would be looked for here.
create table process (
  n integer primary key,
  id text not null unique,
  scope integer not null,
  hash text not null,
  started_at text not null,
  ended_at text
) strict;

-- Sessions that may handle a process.
create table process_grant (
  session integer not null references session (n),
  process integer not null references process (n),
  primary key (session, process)
) strict, without rowid;
create index process_grant_process on process_grant (process);

create table process_event (
  process integer not null references process (n),
  place integer not null check (place >= 1),
  key text not null,
  type text not null,
  payload text not null,
  at text not null,
  primary key (process, place)
) strict, without rowid;
create unique index process_event_key on process_event (process, key);

-- Keys of waits that are settled with the result before the process ends.
create table process_watcher (
  process integer not null references process (n),
  token text not null,
  primary key (process, token)
) strict, without rowid;

-- Notices arrive too now; a check can only be changed with its table.
create table arrival_with_notices (
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
insert into arrival_with_notices select session, id, place, kind, hash, content, turn, at from arrival;
drop table arrival;
alter table arrival_with_notices rename to arrival;
create index arrival_waiting on arrival (session, place) where turn is null;
