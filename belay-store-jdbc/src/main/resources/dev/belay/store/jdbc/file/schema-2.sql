-- Format 2: agents. A session without a profile is of the agent default, open and without labels.
pragma user_version = 2;

create table session_profile (
  session text not null primary key,
  agent text not null,
  closed_at text,
  labels text not null,
  crc integer not null
) strict, without rowid;

-- A kind names the agent of a turn: work of other programs is not read by a look for one's own.
create index scope_ready_kind on scope (kind, since) where status = 'READY';
