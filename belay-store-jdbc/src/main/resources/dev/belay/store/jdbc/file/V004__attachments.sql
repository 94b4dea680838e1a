-- Bytes that somebody keeps: a reference to what is stored by content, so that it is not collected. A keeper is the name of one
-- scope, whose rows go with its records, or what the names of several begin with, such as the turns of a session, whose rows go
-- when these are deleted. So it has no foreign key; whoever deletes scopes deletes by the same range of names here.
create table attachment (
  keeper text not null,
  hash text not null references output (hash),
  media_type text not null,
  since text not null,
  primary key (keeper, hash, media_type)
) strict, without rowid;
create index attachment_output on attachment (hash);
