-- Work under way, in format 3. Recorded; never edited.
pragma application_id = 1112293753;
pragma user_version = 3;
begin;
CREATE TABLE format (
  version integer primary key,
  checksum text not null
) strict;
insert into "format" values (3, '4358697ee7f642480cc2f3c7ca1c9f44e5a6baa987c7ad2fe1b89a86980d0099');
CREATE TABLE owner (
  id text not null primary key,
  last_batch integer not null,
  crc integer not null
) strict, without rowid;
insert into "owner" values ('57195a91511ce4a6f5da512fa0e18227', 41, 224852524);
CREATE TABLE counter (
  parent text not null,
  name text not null,
  value integer not null,
  crc integer not null,
  primary key (parent, name)
) strict, without rowid;
insert into "counter" values ('process', '', 1, 2916746851);
CREATE TABLE secret (
  store text not null,
  id integer not null,
  bytes blob,
  crc integer not null,
  primary key (store, id)
) strict, without rowid;
insert into "secret" values ('store', 1, x'01e5c58039957f0f086724b0a0562b820c2a12f8b2d49ad63d565c37b6c91fb2', 1733698977);
CREATE TABLE content (
  hash text not null primary key,
  size integer not null check (size >= 0),
  written_at text not null,
  crc integer not null
) strict, without rowid;
CREATE TABLE content_bytes (
  hash text not null primary key,
  bytes blob not null,
  crc integer not null
) strict;
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
insert into "scope" values ('process/report', 'process/1/report', 'PARKED', null, 1, 0, 'a188ce74096fd137e2aeb2ff1a47d36d', 1, '2026-11-19T04:11:17.839442964Z', null, null, null, 2, 1, 0, 0, 2297560381);
insert into "scope" values ('turn/2b1e17cf8585749d21f9ef219644c75c/1', 'turn/1', 'PARKED', null, 1, 0, 'dda43eaefdc1f76d8b2c47ef6ef40bed', 1, '2026-11-19T04:11:17.719298212Z', null, null, null, 2, 1, 0, 0, 2207021883);
insert into "scope" values ('turn/644afbda312aa566685d1510ae391085/1', 'open-turn/1/desk', 'PARKED', null, 1, 0, '2016e93e180393eae3a1ff2a9dd8c4f6', 1, '2026-11-19T04:11:17.761781543Z', null, null, null, 4, 1, 1, 0, 3907098972);
insert into "scope" values ('turn/9d8a5fb1c3af3cccaab8490915d4b015/1', 'turn/1', 'PARKED', null, 1, 0, 'ca10bc759c343c098e8c2865853f19b6', 1, '2026-11-19T04:11:17.690015861Z', null, null, null, 3, 1, 0, 0, 1917409069);
insert into "scope" values ('turn/b5652d0be8a60ec63d02261bb60dca4d/1', 'turn/1', 'ENDED', null, 1, 0, '73b6842669dafa9939f1fec5f452e639', 1, '2026-11-19T04:11:17.562749063Z', null, null, null, 3, 0, 0, 0, 3106496896);
insert into "scope" values ('turn/b5652d0be8a60ec63d02261bb60dca4d/2', 'turn/1', 'PARKED', null, 1, 0, 'f898602de6afe914ebe9765587b2420b', 1, '2026-11-19T04:11:17.704179204Z', null, null, null, 4, 1, 1, 0, 830959449);
insert into "scope" values ('turn/c0b25261586bc0726c4915e0cffc0299/1', 'turn/1', 'READY', null, 1, 0, 'fcf699a3cc2fae7d40c3d1871574c67c', 1, '2026-11-19T04:11:42.850111955Z', null, null, null, 3, 0, 0, 0, 4156076999);
insert into "scope" values ('turn/d33bc5b8d731d3ebf2f40c8d8adbb895/1', 'turn/1', 'PARKED', null, 1, 0, '4ad9e3eca82dc710f9748dae3b74d7b4', 1, '2026-11-19T04:11:17.734139206Z', null, null, null, 2, 1, 1, 0, 3897255182);
CREATE TABLE scope_input (
  scope text not null primary key,
  value text not null,
  crc integer not null
) strict, without rowid;
insert into "scope_input" values ('process/report', '{"v":1,"process":"report","incarnation":"ccf6528274aa9ccf7d90b9694333f7b8","start":{"recovery":"RERUN","work":{"body":"report","input":"monthly"}}}', 230809420);
insert into "scope_input" values ('turn/2b1e17cf8585749d21f9ef219644c75c/1', '{"v":1,"session":"order 3","incarnation":"2b1e17cf8585749d21f9ef219644c75c","turn":1,"input":"in","content":{"message":{"user":[{"text":"delegate"}]},"at":"2026-11-19T04:11:17.601662050Z"}}', 883174911);
insert into "scope_input" values ('turn/644afbda312aa566685d1510ae391085/1', '{"v":1,"session":"order 5","incarnation":"644afbda312aa566685d1510ae391085","turn":1,"input":"in","content":{"message":{"user":[{"text":"desk"}]},"loop":"desk","at":"2026-11-19T04:11:17.622405343Z"}}', 3943746693);
insert into "scope_input" values ('turn/9d8a5fb1c3af3cccaab8490915d4b015/1', '{"v":1,"session":"order 2","incarnation":"9d8a5fb1c3af3cccaab8490915d4b015","turn":1,"input":"in","content":{"message":{"user":[{"text":"ship"}]},"at":"2026-11-19T04:11:17.590143089Z"}}', 3974517094);
insert into "scope_input" values ('turn/b5652d0be8a60ec63d02261bb60dca4d/1', '{"v":1,"session":"order 1","incarnation":"b5652d0be8a60ec63d02261bb60dca4d","turn":1,"input":"first","content":{"message":{"user":[{"text":"look"}]},"at":"2026-11-19T04:11:17.285104904Z"}}', 3085302469);
insert into "scope_input" values ('turn/b5652d0be8a60ec63d02261bb60dca4d/2', '{"v":1,"session":"order 1","incarnation":"b5652d0be8a60ec63d02261bb60dca4d","turn":2,"input":"in","content":{"message":{"user":[{"text":"look pay approve"}]},"at":"2026-11-19T04:11:17.582147980Z"}}', 1811966967);
insert into "scope_input" values ('turn/c0b25261586bc0726c4915e0cffc0299/1', '{"v":1,"session":"order 4","incarnation":"c0b25261586bc0726c4915e0cffc0299","turn":1,"input":"in","content":{"message":{"user":[{"text":"look cut"}]},"at":"2026-11-19T04:11:17.610061712Z"}}', 3299251870);
insert into "scope_input" values ('turn/d33bc5b8d731d3ebf2f40c8d8adbb895/1', '{"v":1,"session":"child-9794322d74b9528f9f9cd6765a562403-30ca1c8a7db5b3b5","incarnation":"d33bc5b8d731d3ebf2f40c8d8adbb895","turn":1,"above":["order 3"],"input":"t","content":{"message":{"user":[{"text":"approve"}]},"notify":"b1.AAAAAAAAAAHdpD6u_cH3bYssR-9u9AvtAAAAJ3R1cm4vMmIxZTE3Y2Y4NTg1NzQ5ZDIxZjllZjIxOTY0NGM3NWMvMXJvdW5kLzEvY2FsbC8wL2V2ZW50L2NoaWxkLTk3OTQzMjJkNzRiOTUyOGY5ZjljZDY3NjVhNTYyNDAzLTMwY2ExYzhhN2RiNWIzYjUvdA.E_bFvs2mh5xqe1wstNC83pmItjkLnsLRjO8bQv9IbTI","call":"child-9794322d74b9528f9f9cd6765a562403","at":"2026-11-19T04:11:17.712912153Z"}}', 901304022);
CREATE TABLE scope_result (
  scope text not null primary key,
  value text,
  output text,
  crc integer not null,
  check ((value is null) <> (output is null))
) strict, without rowid;
insert into "scope_result" values ('turn/b5652d0be8a60ec63d02261bb60dca4d/1', '{"v":1,"session":"order 1","turn":1,"input":"first","end":{"finished":"seen"},"rounds":2,"usage":{"input":17,"output":8}}', null, 2841010974);
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
insert into "effect" values ('process/report', 'call/0/attempt/1', 0, 'attempt', '5b694e499e04bf28d180607cc802f551728721318a601a90ed5400a0d0c92484', '{"incarnation":"ccf6528274aa9ccf7d90b9694333f7b8","turn":0,"round":0,"position":0,"name":"report","arguments":"{}"}', 'COMPLETED', '{"v":1,"tool":"process:report","fingerprint":"e1e144e81d049a51d7fd26da18e9245bcd2a611099a9e759be28ad14dd6c5b5a","arguments":{}}', '{"v":1,"entered":{},"call":{"v":1,"tool":"process:report","fingerprint":"e1e144e81d049a51d7fd26da18e9245bcd2a611099a9e759be28ad14dd6c5b5a","arguments":{}}}', null, 'e1e144e81d049a51d7fd26da18e9245bcd2a611099a9e759be28ad14dd6c5b5a', 'READ', null, 1, '2026-11-19T04:11:17.794261762Z', '2026-11-19T04:11:17.794261762Z', 387852545);
insert into "effect" values ('process/report', 'call/0/step/1/page', 1, 'step', '810e588c6c3c45172d724a2673e1362633038b88d7bcbc9c997c538f968b09de', '{"step":"page","input":"monthly"}', 'COMPLETED', '"monthly"', '"page 1"', null, null, 'ONCE', null, 1, '2026-11-19T04:11:17.809195375Z', '2026-11-19T04:11:17.820850638Z', 265543213);
insert into "effect" values ('turn/2b1e17cf8585749d21f9ef219644c75c/1', 'round/1', 0, 'round', 'db1d9f89e02cad9c12f3a3aefb1ea29eb9ad3506c09f05a575c9006af585132e', '{"input":"in","after":""}', 'COMPLETED', '{}', '{"v":1,"asked":{"model":"default","generation":1,"offered":"89ba7089d2b5f9b5f4f272fe8e772f38d3269fc76c51c87c52e778d2dda2354e","request":"11c87d979c10b159cacd7a81f0b3feaa5b2dc50bb857ff5ad2bfc535b077db0c"},"reply":{"message":{"assistant":[{"call":"c-delegate","name":"delegate","arguments":"{}"}]},"finish":"tool_calls","usage":{"input":7,"output":3},"model":"function"}}', null, null, 'READ', null, 1, '2026-11-19T04:11:17.616772646Z', '2026-11-19T04:11:17.616772646Z', 958319731);
insert into "effect" values ('turn/2b1e17cf8585749d21f9ef219644c75c/1', 'round/1/call/0/attempt/1', 0, 'attempt', 'a3dd62e4e22ed90c090d1c1a81f91b8bcf175d909c26d1d5cc65766a8536a10a', '{"incarnation":"2b1e17cf8585749d21f9ef219644c75c","turn":1,"round":1,"position":0,"name":"delegate","arguments":"{}"}', 'COMPLETED', '{"v":1,"tool":"tool:delegate","fingerprint":"2c2b36cbee74c2dc334649e2a3583e967e04499d5a29842420ccb43f1dfce453","arguments":{}}', '{"v":1,"entered":{},"call":{"v":1,"tool":"tool:delegate","fingerprint":"2c2b36cbee74c2dc334649e2a3583e967e04499d5a29842420ccb43f1dfce453","arguments":{}}}', null, '2c2b36cbee74c2dc334649e2a3583e967e04499d5a29842420ccb43f1dfce453', 'READ', null, 1, '2026-11-19T04:11:17.640814946Z', '2026-11-19T04:11:17.640814946Z', 2818811164);
insert into "effect" values ('turn/644afbda312aa566685d1510ae391085/1', 'round/1', 0, 'round', 'db1d9f89e02cad9c12f3a3aefb1ea29eb9ad3506c09f05a575c9006af585132e', '{"input":"in","after":""}', 'COMPLETED', '{}', '{"v":1,"asked":{"model":"default","generation":0,"offered":"6ada6d4831ead1d230971bbe4ac2dda7236ceceebf794efb60a59c887b9bf07f","request":"8cec0f310e661f7e26128a8898a976f4ea55bddc117aac81c9bcfb50a897e5b0"},"reply":{"message":{"assistant":[{"call":"a","name":"look","arguments":"{\"at\":\"sky\"}"},{"call":"b","name":"pay","arguments":"{\"amount\":5}"},{"call":"c","name":"ask","arguments":"{\"question\":\"ok?\"}"}]},"finish":"tool_calls","usage":{"input":7,"output":3},"model":"function"}}', null, null, 'READ', null, 1, '2026-11-19T04:11:17.702997663Z', '2026-11-19T04:11:17.702997663Z', 3427139418);
insert into "effect" values ('turn/644afbda312aa566685d1510ae391085/1', 'round/1/call/0/attempt/1', 0, 'attempt', 'b0f53732efbe79cf4a5c3cd4132d6570271831974dbb42210bbe7f5d4ce77aa8', '{"incarnation":"644afbda312aa566685d1510ae391085","turn":1,"round":1,"position":0,"name":"look","arguments":"{\"at\":\"sky\"}"}', 'COMPLETED', '{"v":1,"tool":"tool:look","fingerprint":"829fb7458f07de17c60fc2b3d53153048a1393f0db792d22078b3514333354fd","arguments":{"at":"sky"}}', '{"v":1,"ended":{"ok":"saw sky"}}', null, '829fb7458f07de17c60fc2b3d53153048a1393f0db792d22078b3514333354fd', 'READ', null, 1, '2026-11-19T04:11:17.739497023Z', '2026-11-19T04:11:17.739497023Z', 2814452981);
insert into "effect" values ('turn/644afbda312aa566685d1510ae391085/1', 'round/1/call/1/attempt/1', 0, 'attempt', '6b49373f4ffffdf50b3289da2e9048d03fd1537ad7b17abd9f9fa8d124a968c6', '{"incarnation":"644afbda312aa566685d1510ae391085","turn":1,"round":1,"position":1,"name":"pay","arguments":"{\"amount\":5}"}', 'COMPLETED', '{"v":1,"tool":"tool:pay","fingerprint":"a6ad092630d7cceee8a85414aacbcc687dc3317374b6c14bec55ab1987abe30a","arguments":{"amount":5}}', '{"v":1,"ended":{"ok":"paid 5"}}', null, 'a6ad092630d7cceee8a85414aacbcc687dc3317374b6c14bec55ab1987abe30a', 'ONCE', null, 1, '2026-11-19T04:11:17.742317147Z', '2026-11-19T04:11:17.744740780Z', 446357615);
insert into "effect" values ('turn/644afbda312aa566685d1510ae391085/1', 'round/1/call/2/attempt/1', 0, 'attempt', '69fa1b5354e4c04b14f13b3f3959f1393e540bf6a42fe15f735a44bc126fe657', '{"incarnation":"644afbda312aa566685d1510ae391085","turn":1,"round":1,"position":2,"name":"ask","arguments":"{\"question\":\"ok?\"}"}', 'COMPLETED', '{"v":1,"tool":"tool:ask","fingerprint":"33a4bc2f9b50f2f814d7cad1de860a9db06c667b79b8452992f4f0310aafe7a2","arguments":{"question":"ok?"}}', '{"v":1,"parked":{"on_timeout":"ERROR_AS_RESULT","on_cancel":"CANCEL_EXTERNAL_WORK"},"call":{"v":1,"tool":"tool:ask","fingerprint":"33a4bc2f9b50f2f814d7cad1de860a9db06c667b79b8452992f4f0310aafe7a2","arguments":{"question":"ok?"}}}', null, '33a4bc2f9b50f2f814d7cad1de860a9db06c667b79b8452992f4f0310aafe7a2', 'IDEMPOTENT', null, 1, '2026-11-19T04:11:17.748020659Z', '2026-11-19T04:11:17.753036977Z', 4246723069);
insert into "effect" values ('turn/9d8a5fb1c3af3cccaab8490915d4b015/1', 'round/1', 0, 'round', 'db1d9f89e02cad9c12f3a3aefb1ea29eb9ad3506c09f05a575c9006af585132e', '{"input":"in","after":""}', 'COMPLETED', '{}', '{"v":1,"asked":{"model":"default","generation":1,"offered":"89ba7089d2b5f9b5f4f272fe8e772f38d3269fc76c51c87c52e778d2dda2354e","request":"7d89c5136f311de42104a66b44addfc8ba3b09e96e9e051ed0deecd97bc20c6e"},"reply":{"message":{"assistant":[{"call":"c-ship","name":"ship","arguments":"{}"}]},"finish":"tool_calls","usage":{"input":7,"output":3},"model":"function"}}', null, null, 'READ', null, 1, '2026-11-19T04:11:17.604502985Z', '2026-11-19T04:11:17.604502985Z', 344680658);
insert into "effect" values ('turn/9d8a5fb1c3af3cccaab8490915d4b015/1', 'round/1/call/0/attempt/1', 0, 'attempt', '0a649574b9a737c7fa35d7f1a388e763d9b234613faa4c3df5a6ca7debb8fc72', '{"incarnation":"9d8a5fb1c3af3cccaab8490915d4b015","turn":1,"round":1,"position":0,"name":"ship","arguments":"{}"}', 'COMPLETED', '{"v":1,"tool":"tool:ship","fingerprint":"981a81be10b00c5dd17de51ab1be58e1011cab1775e021e48aacdf51639d9b7d","arguments":{}}', '{"v":1,"entered":{},"call":{"v":1,"tool":"tool:ship","fingerprint":"981a81be10b00c5dd17de51ab1be58e1011cab1775e021e48aacdf51639d9b7d","arguments":{}}}', null, '981a81be10b00c5dd17de51ab1be58e1011cab1775e021e48aacdf51639d9b7d', 'READ', null, 1, '2026-11-19T04:11:17.612720716Z', '2026-11-19T04:11:17.612720716Z', 2311397123);
insert into "effect" values ('turn/9d8a5fb1c3af3cccaab8490915d4b015/1', 'round/1/call/0/step/1/label', 1, 'step', 'e994c0a97ffb802c5f1945da415205e1e27f6e88849f70e2ce86bec50415aafa', '{"step":"label","input":"order"}', 'COMPLETED', '"order"', '"L1"', null, null, 'IDEMPOTENT', null, 1, '2026-11-19T04:11:17.654533396Z', '2026-11-19T04:11:17.654533396Z', 1288681901);
insert into "effect" values ('turn/b5652d0be8a60ec63d02261bb60dca4d/1', 'round/1', 0, 'round', '7525aa2f628f329065a1f2d3a23d0f9e62f8787d8ab9804e598204efe66e9556', '{"input":"first","after":""}', 'COMPLETED', '{}', '{"v":1,"asked":{"model":"default","generation":1,"offered":"89ba7089d2b5f9b5f4f272fe8e772f38d3269fc76c51c87c52e778d2dda2354e","request":"8cf932256db97acc2375cd345e5ef33b9778ca2b996a004514fb54d0663f0db7"},"reply":{"message":{"assistant":[{"call":"c-look","name":"look","arguments":"{}"}]},"finish":"tool_calls","usage":{"input":7,"output":3},"model":"function"}}', null, null, 'READ', null, 1, '2026-11-19T04:11:17.429628809Z', '2026-11-19T04:11:17.429628809Z', 3733421472);
insert into "effect" values ('turn/b5652d0be8a60ec63d02261bb60dca4d/1', 'round/1/call/0/attempt/1', 0, 'attempt', '40da2d1994fd3f8e0a0ea0154c267ecfcc2d85c219b12059c93bc358d0cdb4d5', '{"incarnation":"b5652d0be8a60ec63d02261bb60dca4d","turn":1,"round":1,"position":0,"name":"look","arguments":"{}"}', 'COMPLETED', '{"v":1,"tool":"tool:look","fingerprint":"39467e351a8c0b6328947a47ef9dd63971f86334d956e36b3835703d4771876b","arguments":{}}', '{"v":1,"ended":{"ok":"seen"}}', null, '39467e351a8c0b6328947a47ef9dd63971f86334d956e36b3835703d4771876b', 'READ', null, 1, '2026-11-19T04:11:17.536443189Z', '2026-11-19T04:11:17.536443189Z', 4088365168);
insert into "effect" values ('turn/b5652d0be8a60ec63d02261bb60dca4d/1', 'round/2', 1, 'round', '64bc27f23045047ac06eef54a3fbfe8e9cd70c72ba409eac2cb70bec913c35c5', '{"input":"first","after":"97f27e9f366248f06be1996a9cd2fc059411aef065b4a2342f880b88ebeba2fd"}', 'COMPLETED', '{}', '{"v":1,"asked":{"model":"default","generation":1,"offered":"89ba7089d2b5f9b5f4f272fe8e772f38d3269fc76c51c87c52e778d2dda2354e","request":"3297a1dfd2744a2a6c9d3da7ea473c86911822a05765e2b7e0f84dca0419772e"},"reply":{"message":{"assistant":[{"text":"seen"}]},"finish":"stop","usage":{"input":10,"output":5},"model":"function"},"end":{"finished":"seen"}}', null, null, 'READ', null, 1, '2026-11-19T04:11:17.552006008Z', '2026-11-19T04:11:17.552006008Z', 943880415);
insert into "effect" values ('turn/b5652d0be8a60ec63d02261bb60dca4d/2', 'round/1', 0, 'round', 'db1d9f89e02cad9c12f3a3aefb1ea29eb9ad3506c09f05a575c9006af585132e', '{"input":"in","after":""}', 'COMPLETED', '{}', '{"v":1,"asked":{"model":"default","generation":1,"offered":"89ba7089d2b5f9b5f4f272fe8e772f38d3269fc76c51c87c52e778d2dda2354e","request":"5c66e8bafa30839e18ca3740effbb2036bf2efef7bac949c8b1656c6c5b3525f"},"reply":{"message":{"assistant":[{"call":"c-look","name":"look","arguments":"{}"},{"call":"c-pay","name":"pay","arguments":"{}"},{"call":"c-approve","name":"approve","arguments":"{}"}]},"finish":"tool_calls","usage":{"input":7,"output":3},"model":"function"}}', null, null, 'READ', null, 1, '2026-11-19T04:11:17.591004503Z', '2026-11-19T04:11:17.591004503Z', 3092925595);
insert into "effect" values ('turn/b5652d0be8a60ec63d02261bb60dca4d/2', 'round/1/call/0/attempt/1', 0, 'attempt', '67020deb246ff86ac20815e32b65c0574e516c67f6080b1366b9dbd7aa1828b6', '{"incarnation":"b5652d0be8a60ec63d02261bb60dca4d","turn":2,"round":1,"position":0,"name":"look","arguments":"{}"}', 'COMPLETED', '{"v":1,"tool":"tool:look","fingerprint":"39467e351a8c0b6328947a47ef9dd63971f86334d956e36b3835703d4771876b","arguments":{}}', '{"v":1,"ended":{"ok":"seen"}}', null, '39467e351a8c0b6328947a47ef9dd63971f86334d956e36b3835703d4771876b', 'READ', null, 1, '2026-11-19T04:11:17.604739648Z', '2026-11-19T04:11:17.604739648Z', 2993451012);
insert into "effect" values ('turn/b5652d0be8a60ec63d02261bb60dca4d/2', 'round/1/call/1/attempt/1', 0, 'attempt', '7264c45e20efc4fb4c47e50d1b64d06f0980aae6ff5764fa492282a5a8acd7b3', '{"incarnation":"b5652d0be8a60ec63d02261bb60dca4d","turn":2,"round":1,"position":1,"name":"pay","arguments":"{}"}', 'COMPLETED', '{"v":1,"tool":"tool:pay","fingerprint":"42cf8bd54cce49140be17dedf08f5de0197f3bcbd0fdb7b543a42878e1d06e35","arguments":{}}', '{"v":1,"ended":{"ok":"paid"}}', null, '42cf8bd54cce49140be17dedf08f5de0197f3bcbd0fdb7b543a42878e1d06e35', 'ONCE', null, 1, '2026-11-19T04:11:17.608889725Z', '2026-11-19T04:11:17.618945946Z', 1694130152);
insert into "effect" values ('turn/b5652d0be8a60ec63d02261bb60dca4d/2', 'round/1/call/2/attempt/1', 0, 'attempt', '4f3334d0aea4ea8e5d92110a80ba91d41ce5d190a7b13313b92b3e4b4b126c8e', '{"incarnation":"b5652d0be8a60ec63d02261bb60dca4d","turn":2,"round":1,"position":2,"name":"approve","arguments":"{}"}', 'COMPLETED', '{"v":1,"tool":"tool:approve","fingerprint":"0aebc51d63e935af551a6941b46c364302df743f6ea61fcaf121bcb5b3f75f33","arguments":{}}', '{"v":1,"parked":{"on_timeout":"ERROR_AS_RESULT","on_cancel":"CANCEL_EXTERNAL_WORK"},"call":{"v":1,"tool":"tool:approve","fingerprint":"0aebc51d63e935af551a6941b46c364302df743f6ea61fcaf121bcb5b3f75f33","arguments":{}}}', null, '0aebc51d63e935af551a6941b46c364302df743f6ea61fcaf121bcb5b3f75f33', 'IDEMPOTENT', null, 1, '2026-11-19T04:11:17.609364583Z', '2026-11-19T04:11:17.678668585Z', 3571769099);
insert into "effect" values ('turn/c0b25261586bc0726c4915e0cffc0299/1', 'round/1', 0, 'round', 'db1d9f89e02cad9c12f3a3aefb1ea29eb9ad3506c09f05a575c9006af585132e', '{"input":"in","after":""}', 'COMPLETED', '{}', '{"v":1,"asked":{"model":"default","generation":1,"offered":"89ba7089d2b5f9b5f4f272fe8e772f38d3269fc76c51c87c52e778d2dda2354e","request":"082d7af518d891d9b71d9a74ba8c27039414c46e48ac434c6729b1b7b447e25a"},"reply":{"message":{"assistant":[{"call":"c-look","name":"look","arguments":"{}"}]},"finish":"tool_calls","usage":{"input":7,"output":3},"model":"function"}}', null, null, 'READ', null, 1, '2026-11-19T04:11:17.635527394Z', '2026-11-19T04:11:17.635527394Z', 1198481836);
insert into "effect" values ('turn/c0b25261586bc0726c4915e0cffc0299/1', 'round/1/call/0/attempt/1', 0, 'attempt', '103918cfd20ede79b2ae152ea3dced45ffe7376cef1e8143a6e3e46ec5b3aed9', '{"incarnation":"c0b25261586bc0726c4915e0cffc0299","turn":1,"round":1,"position":0,"name":"look","arguments":"{}"}', 'COMPLETED', '{"v":1,"tool":"tool:look","fingerprint":"39467e351a8c0b6328947a47ef9dd63971f86334d956e36b3835703d4771876b","arguments":{}}', '{"v":1,"ended":{"ok":"seen"}}', null, '39467e351a8c0b6328947a47ef9dd63971f86334d956e36b3835703d4771876b', 'READ', null, 1, '2026-11-19T04:11:17.657753587Z', '2026-11-19T04:11:17.657753587Z', 4119755107);
insert into "effect" values ('turn/c0b25261586bc0726c4915e0cffc0299/1', 'round/2', 1, 'round', '096970143c7901cbe811a75c92b7a82aa934693952f8a077200137ff4116b88e', '{"input":"in","after":"5d3e47b05192c0ecc689d587eb3154a386dbf10477452260afc84b352f15bebc"}', 'STARTED', '{}', null, null, null, 'READ', null, 1, '2026-11-19T04:11:42.847877328Z', '2026-11-19T04:11:42.847877328Z', 721127370);
insert into "effect" values ('turn/d33bc5b8d731d3ebf2f40c8d8adbb895/1', 'round/1', 0, 'round', 'df5f3175ede02f5a1cbbfb320f27a416a2917ed16766498e949e51d5195ad091', '{"input":"t","after":""}', 'COMPLETED', '{}', '{"v":1,"asked":{"model":"default","generation":1,"offered":"89ba7089d2b5f9b5f4f272fe8e772f38d3269fc76c51c87c52e778d2dda2354e","request":"d318c15b1be6c205ae5a76c7a5800a6b4c604d2fe65700c163fabd4719317779"},"reply":{"message":{"assistant":[{"call":"c-approve","name":"approve","arguments":"{}"}]},"finish":"tool_calls","usage":{"input":7,"output":3},"model":"function"}}', null, null, 'READ', null, 1, '2026-11-19T04:11:17.723191436Z', '2026-11-19T04:11:17.723191436Z', 3878610067);
insert into "effect" values ('turn/d33bc5b8d731d3ebf2f40c8d8adbb895/1', 'round/1/call/0/attempt/1', 0, 'attempt', 'ce87448791957f43b9d23aa4e3aba0d344acc4edd80eac91f3d9b256be8c4c8f', '{"incarnation":"d33bc5b8d731d3ebf2f40c8d8adbb895","turn":1,"round":1,"position":0,"name":"approve","arguments":"{}"}', 'COMPLETED', '{"v":1,"tool":"tool:approve","fingerprint":"0aebc51d63e935af551a6941b46c364302df743f6ea61fcaf121bcb5b3f75f33","arguments":{}}', '{"v":1,"parked":{"on_timeout":"ERROR_AS_RESULT","on_cancel":"CANCEL_EXTERNAL_WORK"},"call":{"v":1,"tool":"tool:approve","fingerprint":"0aebc51d63e935af551a6941b46c364302df743f6ea61fcaf121bcb5b3f75f33","arguments":{}}}', null, '0aebc51d63e935af551a6941b46c364302df743f6ea61fcaf121bcb5b3f75f33', 'IDEMPOTENT', null, 1, '2026-11-19T04:11:17.730142278Z', '2026-11-19T04:11:17.731823895Z', 2695203468);
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
insert into "wait" values ('process/report', 'call/0/event/signal/1/go', 'EVENT', 1, null, null, null, null, 3024149301);
insert into "wait" values ('turn/2b1e17cf8585749d21f9ef219644c75c/1', 'round/1/call/0/event/child-9794322d74b9528f9f9cd6765a562403-30ca1c8a7db5b3b5/t', 'EVENT', 1, null, null, null, null, 2907331032);
insert into "wait" values ('turn/644afbda312aa566685d1510ae391085/1', 'round/1/call/2/completion', 'COMPLETION', 1, null, null, null, null, 791597783);
insert into "wait" values ('turn/9d8a5fb1c3af3cccaab8490915d4b015/1', 'round/1/call/0/event/picked', 'EVENT', 1, null, null, null, null, 4135748657);
insert into "wait" values ('turn/b5652d0be8a60ec63d02261bb60dca4d/2', 'round/1/call/2/completion', 'COMPLETION', 1, null, null, null, null, 3677690291);
insert into "wait" values ('turn/d33bc5b8d731d3ebf2f40c8d8adbb895/1', 'round/1/call/0/completion', 'COMPLETION', 1, null, null, null, null, 604740678);
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
insert into "session" values ('child-9794322d74b9528f9f9cd6765a562403-30ca1c8a7db5b3b5', 'd33bc5b8d731d3ebf2f40c8d8adbb895', 0, 1, 0, 0, 0, 0, 1, 0, '2026-11-19T04:11:17.695323353Z', '2026-11-19T04:11:17.713325349Z', 2859191205);
insert into "session" values ('order 1', 'b5652d0be8a60ec63d02261bb60dca4d', 1, 2, 0, 0, 4, 0, 2, 1, '2026-11-19T04:11:17.292954986Z', '2026-11-19T04:11:17.582406726Z', 4054413808);
insert into "session" values ('order 2', '9d8a5fb1c3af3cccaab8490915d4b015', 0, 1, 0, 0, 0, 0, 1, 0, '2026-11-19T04:11:17.590374944Z', '2026-11-19T04:11:17.590374944Z', 2300880054);
insert into "session" values ('order 3', '2b1e17cf8585749d21f9ef219644c75c', 0, 1, 0, 0, 0, 0, 1, 0, '2026-11-19T04:11:17.601825834Z', '2026-11-19T04:11:17.601825834Z', 1939257103);
insert into "session" values ('order 4', 'c0b25261586bc0726c4915e0cffc0299', 0, 1, 0, 0, 0, 0, 1, 0, '2026-11-19T04:11:17.610232867Z', '2026-11-19T04:11:17.610232867Z', 2271089912);
insert into "session" values ('order 5', '644afbda312aa566685d1510ae391085', 0, 1, 1, 0, 0, 0, 1, 0, '2026-11-19T04:11:17.624613554Z', '2026-11-19T04:11:17.624613554Z', 2353549639);
CREATE TABLE incarnation (
  incarnation text not null primary key check (length(incarnation) = 32),
  session text not null,
  crc integer not null
) strict, without rowid;
insert into "incarnation" values ('2b1e17cf8585749d21f9ef219644c75c', 'order 3', 1066504658);
insert into "incarnation" values ('644afbda312aa566685d1510ae391085', 'order 5', 1939064622);
insert into "incarnation" values ('9d8a5fb1c3af3cccaab8490915d4b015', 'order 2', 530820809);
insert into "incarnation" values ('b5652d0be8a60ec63d02261bb60dca4d', 'order 1', 1500885157);
insert into "incarnation" values ('c0b25261586bc0726c4915e0cffc0299', 'order 4', 942138373);
insert into "incarnation" values ('d33bc5b8d731d3ebf2f40c8d8adbb895', 'child-9794322d74b9528f9f9cd6765a562403-30ca1c8a7db5b3b5', 4291015793);
CREATE TABLE session_past (
  session text not null primary key,
  origin text not null,
  state text not null,
  crc integer not null
) strict, without rowid;
insert into "session_past" values ('child-9794322d74b9528f9f9cd6765a562403-30ca1c8a7db5b3b5', '{"parent":"order 3","depth":1,"family":"2b1e17cf8585749d21f9ef219644c75c"}', 'null', 4016781482);
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
insert into "arrival" values ('child-9794322d74b9528f9f9cd6765a562403-30ca1c8a7db5b3b5', 't', 1, 'INPUT', 'a05a2ff5f6414037187a930fd4198eda42a6db3a82f5340edbc82b8179a64e97', '{"message":{"user":[{"text":"approve"}]},"notify":"b1.AAAAAAAAAAHdpD6u_cH3bYssR-9u9AvtAAAAJ3R1cm4vMmIxZTE3Y2Y4NTg1NzQ5ZDIxZjllZjIxOTY0NGM3NWMvMXJvdW5kLzEvY2FsbC8wL2V2ZW50L2NoaWxkLTk3OTQzMjJkNzRiOTUyOGY5ZjljZDY3NjVhNTYyNDAzLTMwY2ExYzhhN2RiNWIzYjUvdA.E_bFvs2mh5xqe1wstNC83pmItjkLnsLRjO8bQv9IbTI","call":"child-9794322d74b9528f9f9cd6765a562403","at":"2026-11-19T04:11:17.712912153Z"}', 1, '2026-11-19T04:11:17.713325349Z', 3156624286);
insert into "arrival" values ('order 1', 'first', 1, 'INPUT', 'aa304c9ec7544d0ef7d3dbf37e22da99dd785796b1e8aed9430acb68e69acf5e', '{"message":{"user":[{"text":"look"}]},"at":"2026-11-19T04:11:17.285104904Z"}', 1, '2026-11-19T04:11:17.292954986Z', 4079964306);
insert into "arrival" values ('order 1', 'in', 2, 'INPUT', '70d30acf38c9173e53f856c258e7ffc420308b57cfaf8e3cdb59111ddb3d7480', '{"message":{"user":[{"text":"look pay approve"}]},"at":"2026-11-19T04:11:17.582147980Z"}', 2, '2026-11-19T04:11:17.582406726Z', 1829695443);
insert into "arrival" values ('order 2', 'in', 1, 'INPUT', '4dd270982ae0d886b1a193e48e6485dfc9f97812613446e45b44d59a701f9ee5', '{"message":{"user":[{"text":"ship"}]},"at":"2026-11-19T04:11:17.590143089Z"}', 1, '2026-11-19T04:11:17.590374944Z', 1383046927);
insert into "arrival" values ('order 3', 'in', 1, 'INPUT', '0bd8b9a442401568784295c07add4fde8997c62a05594aaaf0fd07fa71d26a12', '{"message":{"user":[{"text":"delegate"}]},"at":"2026-11-19T04:11:17.601662050Z"}', 1, '2026-11-19T04:11:17.601825834Z', 12046328);
insert into "arrival" values ('order 4', 'in', 1, 'INPUT', '5e8ca7949215c6d5159bc8ea4593eccb52bd56bd4855c1da2331e635a08b769c', '{"message":{"user":[{"text":"look cut"}]},"at":"2026-11-19T04:11:17.610061712Z"}', 1, '2026-11-19T04:11:17.610232867Z', 4223954480);
insert into "arrival" values ('order 5', 'in', 1, 'INPUT', '97938c215402cfe2ab2b9e6f898a243355a340e44ad02ad15ec8cfdc4cb451f2', '{"message":{"user":[{"text":"desk"}]},"loop":"desk","at":"2026-11-19T04:11:17.622405343Z"}', 1, '2026-11-19T04:11:17.624613554Z', 3771929);
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
insert into "turn" values ('child-9794322d74b9528f9f9cd6765a562403-30ca1c8a7db5b3b5', 1, 't', '2026-11-19T04:11:17.713325349Z', 1, null, null, null, null, null, null, null, null, null, 3191765469);
insert into "turn" values ('order 1', 1, 'first', '2026-11-19T04:11:17.292954986Z', 1, '8ffb275f0379dd6426a67a0a231b2586b37e2cb577c9b321f6312bff72a8101b', null, null, null, 0, 4, 0, 1, '2026-11-19T04:11:17.562749063Z', 4114134811);
insert into "turn" values ('order 1', 2, 'in', '2026-11-19T04:11:17.582406726Z', 1, null, null, null, null, null, null, null, null, null, 1210705136);
insert into "turn" values ('order 2', 1, 'in', '2026-11-19T04:11:17.590374944Z', 1, null, null, null, null, null, null, null, null, null, 1463733356);
insert into "turn" values ('order 3', 1, 'in', '2026-11-19T04:11:17.601825834Z', 1, null, null, null, null, null, null, null, null, null, 685719372);
insert into "turn" values ('order 4', 1, 'in', '2026-11-19T04:11:17.610232867Z', 1, null, null, null, null, null, null, null, null, null, 632939139);
insert into "turn" values ('order 5', 1, 'in', '2026-11-19T04:11:17.624613554Z', 1, null, null, null, null, null, null, null, null, null, 15795964);
CREATE TABLE message (
  session text not null,
  place integer not null check (place >= 0),
  turn integer not null check (turn >= 0),
  value text not null,
  crc integer not null,
  primary key (session, place)
) strict, without rowid;
insert into "message" values ('order 1', 0, 1, '{"user":[{"text":"look"}]}', 1770179572);
insert into "message" values ('order 1', 1, 1, '{"assistant":[{"call":"c-look","name":"look","arguments":"{}"}]}', 732844199);
insert into "message" values ('order 1', 2, 1, '{"replies":[{"call":"c-look","name":"look","status":"ok","text":"seen"}]}', 759852106);
insert into "message" values ('order 1', 3, 1, '{"assistant":[{"text":"seen"}]}', 324823462);
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
insert into "ledger" values ('order 1', 0, 1, '{"v":1,"round":1,"index":0,"id":"c-look","tool":"look","arguments":"{}","state":"ENDED","outcome":{"ok":"seen"}}', null, 2312125505);
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
insert into "process" values ('report', 1, 'cf098baefe07f0d2fc119c753dc3963d07b965b442bdabf14b0915256b57acd6', '2026-11-19T04:11:17.772983842Z', null, null, 1, 0, 2097706776);
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
insert into "process_event" values ('report', 'step/1/1', 1, 'written', '"page 1"', '2026-11-19T04:11:17.831628465Z', 415341925);
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
insert into "session_profile" values ('child-9794322d74b9528f9f9cd6765a562403-30ca1c8a7db5b3b5', 'default', null, '{"":["order 3"]}', 144616606);
CREATE TABLE audit (
  store text not null,
  place integer not null,
  at text not null,
  actor text not null,
  door text not null,
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
insert into "wait_key" values ('process/report', 'call/0/event/signal/1/go', 'wdd830fedccd711e7f626f79a', '2026-11-19T04:11:17.839442964Z wdd830fedccd711e7f626f79a', null, 311006328);
insert into "wait_key" values ('turn/2b1e17cf8585749d21f9ef219644c75c/1', 'round/1/call/0/event/child-9794322d74b9528f9f9cd6765a562403-30ca1c8a7db5b3b5/t', 'w7689008a7794825221ab3d2c', '2026-11-19T04:11:17.719298212Z w7689008a7794825221ab3d2c', null, 4074240433);
insert into "wait_key" values ('turn/644afbda312aa566685d1510ae391085/1', 'round/1/call/2/completion', 'wf93ac91be57aedc9e8a75b43', '2026-11-19T04:11:17.753036977Z wf93ac91be57aedc9e8a75b43', '{"schema":{"type":"string"},"formats":"ASSERT","draft":"DRAFT_2020_12"}', 1782962620);
insert into "wait_key" values ('turn/9d8a5fb1c3af3cccaab8490915d4b015/1', 'round/1/call/0/event/picked', 'we5205335194fc519744f410e', '2026-11-19T04:11:17.690015861Z we5205335194fc519744f410e', null, 1901850897);
insert into "wait_key" values ('turn/b5652d0be8a60ec63d02261bb60dca4d/2', 'round/1/call/2/completion', 'w889e081ef1e52a2e0787043e', '2026-11-19T04:11:17.678668585Z w889e081ef1e52a2e0787043e', null, 1435456085);
insert into "wait_key" values ('turn/d33bc5b8d731d3ebf2f40c8d8adbb895/1', 'round/1/call/0/completion', 'wf1fdf7df00908f5d3a2e06b2', '2026-11-19T04:11:17.731823895Z wf1fdf7df00908f5d3a2e06b2', null, 3819458440);
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
insert into "held" values ('below/order 3', 'turn/d33bc5b8d731d3ebf2f40c8d8adbb895/1', '2026-11-19T04:11:17.713325349Z', 2729793616);
CREATE TABLE awaited (
  scope text not null primary key,
  fence integer not null,
  what text not null,
  name text not null,
  since text not null,
  crc integer not null
) strict, without rowid;
insert into "awaited" values ('turn/c0b25261586bc0726c4915e0cffc0299/1', 1, 'MODEL', 'round 2', '2026-11-19T04:11:17.668851931Z', 1156417729);
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
