-- Sessions beside the journal. Every write of a turn touches one small row of its session and rows of that turn alone, however
-- long the session is.

create table session (
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

-- What a session that was made with a past began with.
create table session_past (
  session integer primary key references session (n),
  origin text not null,
  state text not null
) strict;

-- The result is that of the scope, and stands there. Only a turn of a past, which has no scope, brings its own. No foreign key
-- on the scope: to delete one would mean to look through all turns, or to keep an index for nothing else.
create table turn (
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

create table arrival (
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
-- holds only what waits
create index arrival_waiting on arrival (session, place) where turn is null;

create table message (
  session integer not null references session (n),
  place integer not null check (place >= 0),
  turn integer not null check (turn >= 0),
  value text not null,
  primary key (session, place)
) strict, without rowid;

-- Scopes can be deleted now, with their session. Resources are many and have no index by scope, so their foreign key on it has
-- to go: it would look through all of them for each scope.
create table resource_without_scope (
  name text not null primary key,
  owner text references owner (id),
  scope integer,
  key text,
  fence integer not null,
  check ((owner is null) = (scope is null) and (owner is null) = (key is null))
) strict, without rowid;
insert into resource_without_scope select name, owner, scope, key, fence from resource;
drop table resource;
alter table resource_without_scope rename to resource;
create index resource_owner on resource (owner) where owner is not null;
