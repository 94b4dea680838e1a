-- Work under way as format 1 wrote it. Never edit: every later version must finish it.
pragma application_id = 1112293753;
pragma user_version = 1;
begin;
CREATE TABLE format (
  version integer primary key,
  checksum text not null
) strict;
insert into "format" values (1, 'dbdf5e5795057abb27c1ed7ac81c3b1e7031d95ffcae9295ca0a3807845bd65f');
CREATE TABLE owner (
  id text not null primary key,
  last_batch integer not null,
  crc integer not null
) strict, without rowid;
insert into "owner" values ('855ed7c3bff5e1147f56d6067da01455', 38, 2460060137);
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
insert into "secret" values ('store', 1, x'0d4b790945e1a83a10a195323c313516ceaf541a350dda0236be3a25d637c896', 507446105);
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
insert into "scope" values ('process/report', 'process/1/report', 'PARKED', null, 1, 0, 'dbf84b342b0e82583561b15d0e49e835', 1, '2026-11-16T11:15:27.108982635Z', null, null, null, 2, 1, 0, 0, 2499823160);
insert into "scope" values ('turn/090363c8231436db7d32ce8df3af8959/1', 'turn/1', 'PARKED', null, 1, 0, '08bbc66e00370595ec23d3dddc409a93', 1, '2026-11-16T11:15:26.530060883Z', null, null, null, 2, 1, 0, 0, 2048870952);
insert into "scope" values ('turn/4bde7bb014902576b8b7976526554a9a/1', 'turn/1', 'READY', null, 1, 0, 'a6e70f148bb2f16b659cdae5f51d06cc', 1, '2026-11-16T11:15:28.129943225Z', null, null, null, 3, 0, 0, 0, 3095714528);
insert into "scope" values ('turn/7e3559c0fd3e0b19aca5ab6f42602348/1', 'open-turn/1/desk', 'PARKED', null, 1, 0, '2c91e7c2d3da5fbff2ad154687e6d423', 1, '2026-11-16T11:15:26.759487837Z', null, null, null, 4, 1, 1, 0, 157952277);
insert into "scope" values ('turn/898b34c83bb15c93a6c2d7516df2bd63/1', 'turn/1', 'PARKED', null, 1, 0, '5bd5bcea01efa512b247fbc26dd7eda2', 1, '2026-11-16T11:15:26.707309795Z', null, null, null, 2, 1, 1, 0, 1998286334);
insert into "scope" values ('turn/984ddabb457cedeed1d0b327812eae64/1', 'turn/1', 'PARKED', null, 1, 0, 'ae1e21ece6dc7f0fa19a8d7bbd927ff8', 1, '2026-11-16T11:15:26.299479817Z', null, null, null, 3, 1, 0, 0, 965843099);
insert into "scope" values ('turn/9a349f31e07f3bacd9a7e1194715ab1f/1', 'turn/1', 'ENDED', null, 1, 0, '62a49de2b619162f7918c39583f9f599', 1, '2026-11-16T11:15:25.142411919Z', null, null, null, 3, 0, 0, 0, 662863206);
insert into "scope" values ('turn/9a349f31e07f3bacd9a7e1194715ab1f/2', 'turn/1', 'PARKED', null, 1, 0, '5cb5bc6b2b6b8aa571aab3efc0061c7c', 1, '2026-11-16T11:15:26.387956706Z', null, null, null, 4, 1, 1, 0, 4183961460);
CREATE TABLE scope_input (
  scope text not null primary key,
  value text not null,
  crc integer not null
) strict, without rowid;
insert into "scope_input" values ('process/report', '{"v":1,"process":"report","incarnation":"31f73161bb439c9789112b64a63487bd","start":{"recovery":"RERUN","work":{"body":"report","input":"monthly"}}}', 1109344916);
insert into "scope_input" values ('turn/090363c8231436db7d32ce8df3af8959/1', '{"v":1,"session":"order 3","incarnation":"090363c8231436db7d32ce8df3af8959","turn":1,"input":"in","content":{"message":{"user":[{"text":"delegate"}]},"at":"2026-11-16T11:15:25.359219916Z"}}', 1161392317);
insert into "scope_input" values ('turn/4bde7bb014902576b8b7976526554a9a/1', '{"v":1,"session":"order 4","incarnation":"4bde7bb014902576b8b7976526554a9a","turn":1,"input":"in","content":{"message":{"user":[{"text":"look cut"}]},"at":"2026-11-16T11:15:25.378511980Z"}}', 1914163272);
insert into "scope_input" values ('turn/7e3559c0fd3e0b19aca5ab6f42602348/1', '{"v":1,"session":"order 5","incarnation":"7e3559c0fd3e0b19aca5ab6f42602348","turn":1,"input":"in","content":{"message":{"user":[{"text":"desk"}]},"loop":"desk","at":"2026-11-16T11:15:25.524552186Z"}}', 3896208133);
insert into "scope_input" values ('turn/898b34c83bb15c93a6c2d7516df2bd63/1', '{"v":1,"session":"child-26bd19f8d7660048ec2d3679598ef7fd-30ca1c8a7db5b3b5","incarnation":"898b34c83bb15c93a6c2d7516df2bd63","turn":1,"input":"t","content":{"message":{"user":[{"text":"approve"}]},"notify":"b1.AAAAAAAAAAEIu8ZuADcFlewj093cQJqTAAAAJ3R1cm4vMDkwMzYzYzgyMzE0MzZkYjdkMzJjZThkZjNhZjg5NTkvMXJvdW5kLzEvY2FsbC8wL2V2ZW50L2NoaWxkLTI2YmQxOWY4ZDc2NjAwNDhlYzJkMzY3OTU5OGVmN2ZkLTMwY2ExYzhhN2RiNWIzYjUvdA.Pgk6NR7oWZ9QR0GotlF6r5Rw_rLzThhNV_3d8BPJK7g","call":"child-26bd19f8d7660048ec2d3679598ef7fd","at":"2026-11-16T11:15:26.099296404Z"}}', 1461852301);
insert into "scope_input" values ('turn/984ddabb457cedeed1d0b327812eae64/1', '{"v":1,"session":"order 2","incarnation":"984ddabb457cedeed1d0b327812eae64","turn":1,"input":"in","content":{"message":{"user":[{"text":"ship"}]},"at":"2026-11-16T11:15:25.344335712Z"}}', 1583108078);
insert into "scope_input" values ('turn/9a349f31e07f3bacd9a7e1194715ab1f/1', '{"v":1,"session":"order 1","incarnation":"9a349f31e07f3bacd9a7e1194715ab1f","turn":1,"input":"first","content":{"message":{"user":[{"text":"look"}]},"at":"2026-11-16T11:15:23.593328647Z"}}', 3767363729);
insert into "scope_input" values ('turn/9a349f31e07f3bacd9a7e1194715ab1f/2', '{"v":1,"session":"order 1","incarnation":"9a349f31e07f3bacd9a7e1194715ab1f","turn":2,"input":"in","content":{"message":{"user":[{"text":"look pay approve"}]},"at":"2026-11-16T11:15:25.320173169Z"}}', 2213839231);
CREATE TABLE scope_result (
  scope text not null primary key,
  value text,
  output text,
  crc integer not null,
  check ((value is null) <> (output is null))
) strict, without rowid;
insert into "scope_result" values ('turn/9a349f31e07f3bacd9a7e1194715ab1f/1', '{"v":1,"session":"order 1","turn":1,"input":"first","end":{"finished":"seen"},"rounds":2,"usage":{"input":17,"output":8}}', null, 2485457481);
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
insert into "effect" values ('process/report', 'call/0/attempt/1', 0, 'attempt', '14ef2c51f7148d74ff2c3afaa72f6209a133ca65a3a50d6e155a1f03a21cd1a7', '{"incarnation":"31f73161bb439c9789112b64a63487bd","turn":0,"round":0,"position":0,"name":"report","arguments":"{}"}', 'COMPLETED', '{"v":1,"tool":"process:report","fingerprint":"e1e144e81d049a51d7fd26da18e9245bcd2a611099a9e759be28ad14dd6c5b5a","arguments":{}}', '{"v":1,"entered":{},"call":{"v":1,"tool":"process:report","fingerprint":"e1e144e81d049a51d7fd26da18e9245bcd2a611099a9e759be28ad14dd6c5b5a","arguments":{}}}', null, 'e1e144e81d049a51d7fd26da18e9245bcd2a611099a9e759be28ad14dd6c5b5a', 'READ', null, 1, '2026-11-16T11:15:27.021874663Z', '2026-11-16T11:15:27.021874663Z', 228182672);
insert into "effect" values ('process/report', 'call/0/step/1/page', 1, 'step', '810e588c6c3c45172d724a2673e1362633038b88d7bcbc9c997c538f968b09de', '{"step":"page","input":"monthly"}', 'COMPLETED', '"monthly"', '"page 1"', null, null, 'ONCE', null, 1, '2026-11-16T11:15:27.034765380Z', '2026-11-16T11:15:27.058633936Z', 917113266);
insert into "effect" values ('turn/090363c8231436db7d32ce8df3af8959/1', 'round/1', 0, 'round', 'db1d9f89e02cad9c12f3a3aefb1ea29eb9ad3506c09f05a575c9006af585132e', '{"input":"in","after":""}', 'COMPLETED', '{}', '{"v":1,"asked":{"model":"default","generation":1,"offered":"89ba7089d2b5f9b5f4f272fe8e772f38d3269fc76c51c87c52e778d2dda2354e","request":"11c87d979c10b159cacd7a81f0b3feaa5b2dc50bb857ff5ad2bfc535b077db0c"},"reply":{"message":{"assistant":[{"call":"c-delegate","name":"delegate","arguments":"{}"}]},"finish":"tool_calls","usage":{"input":7,"output":3},"model":"function"}}', null, null, 'READ', null, 1, '2026-11-16T11:15:25.384579090Z', '2026-11-16T11:15:25.384579090Z', 2379829580);
insert into "effect" values ('turn/090363c8231436db7d32ce8df3af8959/1', 'round/1/call/0/attempt/1', 0, 'attempt', '110eba884c5591d28854487f3ce80c690a30b7cc1bef945bdac76b0be4cfff47', '{"incarnation":"090363c8231436db7d32ce8df3af8959","turn":1,"round":1,"position":0,"name":"delegate","arguments":"{}"}', 'COMPLETED', '{"v":1,"tool":"tool:delegate","fingerprint":"2c2b36cbee74c2dc334649e2a3583e967e04499d5a29842420ccb43f1dfce453","arguments":{}}', '{"v":1,"entered":{},"call":{"v":1,"tool":"tool:delegate","fingerprint":"2c2b36cbee74c2dc334649e2a3583e967e04499d5a29842420ccb43f1dfce453","arguments":{}}}', null, '2c2b36cbee74c2dc334649e2a3583e967e04499d5a29842420ccb43f1dfce453', 'READ', null, 1, '2026-11-16T11:15:25.500483793Z', '2026-11-16T11:15:25.500483793Z', 533955566);
insert into "effect" values ('turn/4bde7bb014902576b8b7976526554a9a/1', 'round/1', 0, 'round', 'db1d9f89e02cad9c12f3a3aefb1ea29eb9ad3506c09f05a575c9006af585132e', '{"input":"in","after":""}', 'COMPLETED', '{}', '{"v":1,"asked":{"model":"default","generation":1,"offered":"89ba7089d2b5f9b5f4f272fe8e772f38d3269fc76c51c87c52e778d2dda2354e","request":"082d7af518d891d9b71d9a74ba8c27039414c46e48ac434c6729b1b7b447e25a"},"reply":{"message":{"assistant":[{"call":"c-look","name":"look","arguments":"{}"}]},"finish":"tool_calls","usage":{"input":7,"output":3},"model":"function"}}', null, null, 'READ', null, 1, '2026-11-16T11:15:26.184369527Z', '2026-11-16T11:15:26.184369527Z', 2408350865);
insert into "effect" values ('turn/4bde7bb014902576b8b7976526554a9a/1', 'round/1/call/0/attempt/1', 0, 'attempt', 'be0f7de06217c79af0627b77be1c18ce89e6d7888f40e814289f61558cc7ad87', '{"incarnation":"4bde7bb014902576b8b7976526554a9a","turn":1,"round":1,"position":0,"name":"look","arguments":"{}"}', 'COMPLETED', '{"v":1,"tool":"tool:look","fingerprint":"39467e351a8c0b6328947a47ef9dd63971f86334d956e36b3835703d4771876b","arguments":{}}', '{"v":1,"ended":{"ok":"seen"}}', null, '39467e351a8c0b6328947a47ef9dd63971f86334d956e36b3835703d4771876b', 'READ', null, 1, '2026-11-16T11:15:26.463591501Z', '2026-11-16T11:15:26.463591501Z', 4262199617);
insert into "effect" values ('turn/4bde7bb014902576b8b7976526554a9a/1', 'round/2', 1, 'round', '096970143c7901cbe811a75c92b7a82aa934693952f8a077200137ff4116b88e', '{"input":"in","after":"5d3e47b05192c0ecc689d587eb3154a386dbf10477452260afc84b352f15bebc"}', 'STARTED', '{}', null, null, null, 'READ', null, 1, '2026-11-16T11:15:28.123262116Z', '2026-11-16T11:15:28.123262116Z', 1749544096);
insert into "effect" values ('turn/7e3559c0fd3e0b19aca5ab6f42602348/1', 'round/1', 0, 'round', 'db1d9f89e02cad9c12f3a3aefb1ea29eb9ad3506c09f05a575c9006af585132e', '{"input":"in","after":""}', 'COMPLETED', '{}', '{"v":1,"asked":{"model":"default","generation":0,"offered":"6ada6d4831ead1d230971bbe4ac2dda7236ceceebf794efb60a59c887b9bf07f","request":"8cec0f310e661f7e26128a8898a976f4ea55bddc117aac81c9bcfb50a897e5b0"},"reply":{"message":{"assistant":[{"call":"a","name":"look","arguments":"{\"at\":\"sky\"}"},{"call":"b","name":"pay","arguments":"{\"amount\":5}"},{"call":"c","name":"ask","arguments":"{\"question\":\"ok?\"}"}]},"finish":"tool_calls","usage":{"input":7,"output":3},"model":"function"}}', null, null, 'READ', null, 1, '2026-11-16T11:15:26.210480791Z', '2026-11-16T11:15:26.210480791Z', 3846727263);
insert into "effect" values ('turn/7e3559c0fd3e0b19aca5ab6f42602348/1', 'round/1/call/0/attempt/1', 0, 'attempt', '39da38b886367140f014465c38aff87b16e488af22bfeafe5bf62c814823cfb7', '{"incarnation":"7e3559c0fd3e0b19aca5ab6f42602348","turn":1,"round":1,"position":0,"name":"look","arguments":"{\"at\":\"sky\"}"}', 'COMPLETED', '{"v":1,"tool":"tool:look","fingerprint":"829fb7458f07de17c60fc2b3d53153048a1393f0db792d22078b3514333354fd","arguments":{"at":"sky"}}', '{"v":1,"ended":{"ok":"saw sky"}}', null, '829fb7458f07de17c60fc2b3d53153048a1393f0db792d22078b3514333354fd', 'READ', null, 1, '2026-11-16T11:15:26.587376076Z', '2026-11-16T11:15:26.587376076Z', 1512533273);
insert into "effect" values ('turn/7e3559c0fd3e0b19aca5ab6f42602348/1', 'round/1/call/1/attempt/1', 0, 'attempt', '849932512b478820d36ccd82bba294aa787bdd5b99823e00bf2ad93379c725bc', '{"incarnation":"7e3559c0fd3e0b19aca5ab6f42602348","turn":1,"round":1,"position":1,"name":"pay","arguments":"{\"amount\":5}"}', 'COMPLETED', '{"v":1,"tool":"tool:pay","fingerprint":"a6ad092630d7cceee8a85414aacbcc687dc3317374b6c14bec55ab1987abe30a","arguments":{"amount":5}}', '{"v":1,"ended":{"ok":"paid 5"}}', null, 'a6ad092630d7cceee8a85414aacbcc687dc3317374b6c14bec55ab1987abe30a', 'ONCE', null, 1, '2026-11-16T11:15:26.595937549Z', '2026-11-16T11:15:26.600838784Z', 37296091);
insert into "effect" values ('turn/7e3559c0fd3e0b19aca5ab6f42602348/1', 'round/1/call/2/attempt/1', 0, 'attempt', 'f18c141100884ba048b3c00ef6e7f776ffee2f03e4c1274a5088ec31e394401d', '{"incarnation":"7e3559c0fd3e0b19aca5ab6f42602348","turn":1,"round":1,"position":2,"name":"ask","arguments":"{\"question\":\"ok?\"}"}', 'COMPLETED', '{"v":1,"tool":"tool:ask","fingerprint":"33a4bc2f9b50f2f814d7cad1de860a9db06c667b79b8452992f4f0310aafe7a2","arguments":{"question":"ok?"}}', '{"v":1,"parked":{"on_timeout":"ERROR_AS_RESULT","on_cancel":"CANCEL_EXTERNAL_WORK"},"call":{"v":1,"tool":"tool:ask","fingerprint":"33a4bc2f9b50f2f814d7cad1de860a9db06c667b79b8452992f4f0310aafe7a2","arguments":{"question":"ok?"}}}', null, '33a4bc2f9b50f2f814d7cad1de860a9db06c667b79b8452992f4f0310aafe7a2', 'IDEMPOTENT', null, 1, '2026-11-16T11:15:26.618629424Z', '2026-11-16T11:15:26.628952599Z', 3579261073);
insert into "effect" values ('turn/898b34c83bb15c93a6c2d7516df2bd63/1', 'round/1', 0, 'round', 'df5f3175ede02f5a1cbbfb320f27a416a2917ed16766498e949e51d5195ad091', '{"input":"t","after":""}', 'COMPLETED', '{}', '{"v":1,"asked":{"model":"default","generation":1,"offered":"89ba7089d2b5f9b5f4f272fe8e772f38d3269fc76c51c87c52e778d2dda2354e","request":"d318c15b1be6c205ae5a76c7a5800a6b4c604d2fe65700c163fabd4719317779"},"reply":{"message":{"assistant":[{"call":"c-approve","name":"approve","arguments":"{}"}]},"finish":"tool_calls","usage":{"input":7,"output":3},"model":"function"}}', null, null, 'READ', null, 1, '2026-11-16T11:15:26.620100583Z', '2026-11-16T11:15:26.620100583Z', 542363678);
insert into "effect" values ('turn/898b34c83bb15c93a6c2d7516df2bd63/1', 'round/1/call/0/attempt/1', 0, 'attempt', '9971a9cb4504f2904abe6da936669ae30004c1c29b345fe69f08c4b7295716d7', '{"incarnation":"898b34c83bb15c93a6c2d7516df2bd63","turn":1,"round":1,"position":0,"name":"approve","arguments":"{}"}', 'COMPLETED', '{"v":1,"tool":"tool:approve","fingerprint":"0aebc51d63e935af551a6941b46c364302df743f6ea61fcaf121bcb5b3f75f33","arguments":{}}', '{"v":1,"parked":{"on_timeout":"ERROR_AS_RESULT","on_cancel":"CANCEL_EXTERNAL_WORK"},"call":{"v":1,"tool":"tool:approve","fingerprint":"0aebc51d63e935af551a6941b46c364302df743f6ea61fcaf121bcb5b3f75f33","arguments":{}}}', null, '0aebc51d63e935af551a6941b46c364302df743f6ea61fcaf121bcb5b3f75f33', 'IDEMPOTENT', null, 1, '2026-11-16T11:15:26.651780726Z', '2026-11-16T11:15:26.673199255Z', 3136062775);
insert into "effect" values ('turn/984ddabb457cedeed1d0b327812eae64/1', 'round/1', 0, 'round', 'db1d9f89e02cad9c12f3a3aefb1ea29eb9ad3506c09f05a575c9006af585132e', '{"input":"in","after":""}', 'COMPLETED', '{}', '{"v":1,"asked":{"model":"default","generation":1,"offered":"89ba7089d2b5f9b5f4f272fe8e772f38d3269fc76c51c87c52e778d2dda2354e","request":"7d89c5136f311de42104a66b44addfc8ba3b09e96e9e051ed0deecd97bc20c6e"},"reply":{"message":{"assistant":[{"call":"c-ship","name":"ship","arguments":"{}"}]},"finish":"tool_calls","usage":{"input":7,"output":3},"model":"function"}}', null, null, 'READ', null, 1, '2026-11-16T11:15:25.391846507Z', '2026-11-16T11:15:25.391846507Z', 292626790);
insert into "effect" values ('turn/984ddabb457cedeed1d0b327812eae64/1', 'round/1/call/0/attempt/1', 0, 'attempt', '6ebcb391392fa7131d4e443e6d4e4ef17a7db2fcdb812070b32254b5f59c4eea', '{"incarnation":"984ddabb457cedeed1d0b327812eae64","turn":1,"round":1,"position":0,"name":"ship","arguments":"{}"}', 'COMPLETED', '{"v":1,"tool":"tool:ship","fingerprint":"981a81be10b00c5dd17de51ab1be58e1011cab1775e021e48aacdf51639d9b7d","arguments":{}}', '{"v":1,"entered":{},"call":{"v":1,"tool":"tool:ship","fingerprint":"981a81be10b00c5dd17de51ab1be58e1011cab1775e021e48aacdf51639d9b7d","arguments":{}}}', null, '981a81be10b00c5dd17de51ab1be58e1011cab1775e021e48aacdf51639d9b7d', 'READ', null, 1, '2026-11-16T11:15:25.500939321Z', '2026-11-16T11:15:25.500939321Z', 3727158926);
insert into "effect" values ('turn/984ddabb457cedeed1d0b327812eae64/1', 'round/1/call/0/step/1/label', 1, 'step', 'e994c0a97ffb802c5f1945da415205e1e27f6e88849f70e2ce86bec50415aafa', '{"step":"label","input":"order"}', 'COMPLETED', '"order"', '"L1"', null, null, 'IDEMPOTENT', null, 1, '2026-11-16T11:15:25.910525628Z', '2026-11-16T11:15:25.910525628Z', 1601240137);
insert into "effect" values ('turn/9a349f31e07f3bacd9a7e1194715ab1f/1', 'round/1', 0, 'round', '7525aa2f628f329065a1f2d3a23d0f9e62f8787d8ab9804e598204efe66e9556', '{"input":"first","after":""}', 'COMPLETED', '{}', '{"v":1,"asked":{"model":"default","generation":1,"offered":"89ba7089d2b5f9b5f4f272fe8e772f38d3269fc76c51c87c52e778d2dda2354e","request":"8cf932256db97acc2375cd345e5ef33b9778ca2b996a004514fb54d0663f0db7"},"reply":{"message":{"assistant":[{"call":"c-look","name":"look","arguments":"{}"}]},"finish":"tool_calls","usage":{"input":7,"output":3},"model":"function"}}', null, null, 'READ', null, 1, '2026-11-16T11:15:24.154065146Z', '2026-11-16T11:15:24.154065146Z', 1372112866);
insert into "effect" values ('turn/9a349f31e07f3bacd9a7e1194715ab1f/1', 'round/1/call/0/attempt/1', 0, 'attempt', '33330d850c796e984916b0c4dfa50690bc9781679c70dda6028296bf2c47f3fe', '{"incarnation":"9a349f31e07f3bacd9a7e1194715ab1f","turn":1,"round":1,"position":0,"name":"look","arguments":"{}"}', 'COMPLETED', '{"v":1,"tool":"tool:look","fingerprint":"39467e351a8c0b6328947a47ef9dd63971f86334d956e36b3835703d4771876b","arguments":{}}', '{"v":1,"ended":{"ok":"seen"}}', null, '39467e351a8c0b6328947a47ef9dd63971f86334d956e36b3835703d4771876b', 'READ', null, 1, '2026-11-16T11:15:24.880008629Z', '2026-11-16T11:15:24.880008629Z', 1797048538);
insert into "effect" values ('turn/9a349f31e07f3bacd9a7e1194715ab1f/1', 'round/2', 1, 'round', '64bc27f23045047ac06eef54a3fbfe8e9cd70c72ba409eac2cb70bec913c35c5', '{"input":"first","after":"97f27e9f366248f06be1996a9cd2fc059411aef065b4a2342f880b88ebeba2fd"}', 'COMPLETED', '{}', '{"v":1,"asked":{"model":"default","generation":1,"offered":"89ba7089d2b5f9b5f4f272fe8e772f38d3269fc76c51c87c52e778d2dda2354e","request":"3297a1dfd2744a2a6c9d3da7ea473c86911822a05765e2b7e0f84dca0419772e"},"reply":{"message":{"assistant":[{"text":"seen"}]},"finish":"stop","usage":{"input":10,"output":5},"model":"function"},"end":{"finished":"seen"}}', null, null, 'READ', null, 1, '2026-11-16T11:15:25.077150294Z', '2026-11-16T11:15:25.077150294Z', 3573936247);
insert into "effect" values ('turn/9a349f31e07f3bacd9a7e1194715ab1f/2', 'round/1', 0, 'round', 'db1d9f89e02cad9c12f3a3aefb1ea29eb9ad3506c09f05a575c9006af585132e', '{"input":"in","after":""}', 'COMPLETED', '{}', '{"v":1,"asked":{"model":"default","generation":1,"offered":"89ba7089d2b5f9b5f4f272fe8e772f38d3269fc76c51c87c52e778d2dda2354e","request":"5c66e8bafa30839e18ca3740effbb2036bf2efef7bac949c8b1656c6c5b3525f"},"reply":{"message":{"assistant":[{"call":"c-look","name":"look","arguments":"{}"},{"call":"c-pay","name":"pay","arguments":"{}"},{"call":"c-approve","name":"approve","arguments":"{}"}]},"finish":"tool_calls","usage":{"input":7,"output":3},"model":"function"}}', null, null, 'READ', null, 1, '2026-11-16T11:15:25.346436038Z', '2026-11-16T11:15:25.346436038Z', 2994603289);
insert into "effect" values ('turn/9a349f31e07f3bacd9a7e1194715ab1f/2', 'round/1/call/0/attempt/1', 0, 'attempt', '36cb99ec484b82bbc4b4e79485528d7a01f15ac9cb9d13229970a84b2c852240', '{"incarnation":"9a349f31e07f3bacd9a7e1194715ab1f","turn":2,"round":1,"position":0,"name":"look","arguments":"{}"}', 'COMPLETED', '{"v":1,"tool":"tool:look","fingerprint":"39467e351a8c0b6328947a47ef9dd63971f86334d956e36b3835703d4771876b","arguments":{}}', '{"v":1,"ended":{"ok":"seen"}}', null, '39467e351a8c0b6328947a47ef9dd63971f86334d956e36b3835703d4771876b', 'READ', null, 1, '2026-11-16T11:15:25.376318445Z', '2026-11-16T11:15:25.376318445Z', 318348160);
insert into "effect" values ('turn/9a349f31e07f3bacd9a7e1194715ab1f/2', 'round/1/call/1/attempt/1', 0, 'attempt', '3a9de41e676b0e63316780a1e4104dc9f178babbb01a477f5207e29157c4e705', '{"incarnation":"9a349f31e07f3bacd9a7e1194715ab1f","turn":2,"round":1,"position":1,"name":"pay","arguments":"{}"}', 'COMPLETED', '{"v":1,"tool":"tool:pay","fingerprint":"42cf8bd54cce49140be17dedf08f5de0197f3bcbd0fdb7b543a42878e1d06e35","arguments":{}}', '{"v":1,"ended":{"ok":"paid"}}', null, '42cf8bd54cce49140be17dedf08f5de0197f3bcbd0fdb7b543a42878e1d06e35', 'ONCE', null, 1, '2026-11-16T11:15:25.367585627Z', '2026-11-16T11:15:25.454107907Z', 1499590699);
insert into "effect" values ('turn/9a349f31e07f3bacd9a7e1194715ab1f/2', 'round/1/call/2/attempt/1', 0, 'attempt', 'c21561068a01e5951ab25e770d275f715674e5f2fe9b94a6478078ac14af7140', '{"incarnation":"9a349f31e07f3bacd9a7e1194715ab1f","turn":2,"round":1,"position":2,"name":"approve","arguments":"{}"}', 'COMPLETED', '{"v":1,"tool":"tool:approve","fingerprint":"0aebc51d63e935af551a6941b46c364302df743f6ea61fcaf121bcb5b3f75f33","arguments":{}}', '{"v":1,"parked":{"on_timeout":"ERROR_AS_RESULT","on_cancel":"CANCEL_EXTERNAL_WORK"},"call":{"v":1,"tool":"tool:approve","fingerprint":"0aebc51d63e935af551a6941b46c364302df743f6ea61fcaf121bcb5b3f75f33","arguments":{}}}', null, '0aebc51d63e935af551a6941b46c364302df743f6ea61fcaf121bcb5b3f75f33', 'IDEMPOTENT', null, 1, '2026-11-16T11:15:25.369034354Z', '2026-11-16T11:15:26.105943388Z', 3417608553);
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
insert into "wait" values ('turn/090363c8231436db7d32ce8df3af8959/1', 'round/1/call/0/event/child-26bd19f8d7660048ec2d3679598ef7fd-30ca1c8a7db5b3b5/t', 'EVENT', 1, null, null, null, null, 3227564446);
insert into "wait" values ('turn/7e3559c0fd3e0b19aca5ab6f42602348/1', 'round/1/call/2/completion', 'COMPLETION', 1, null, null, null, null, 3908232312);
insert into "wait" values ('turn/898b34c83bb15c93a6c2d7516df2bd63/1', 'round/1/call/0/completion', 'COMPLETION', 1, null, null, null, null, 2697736315);
insert into "wait" values ('turn/984ddabb457cedeed1d0b327812eae64/1', 'round/1/call/0/event/picked', 'EVENT', 1, null, null, null, null, 3199913466);
insert into "wait" values ('turn/9a349f31e07f3bacd9a7e1194715ab1f/2', 'round/1/call/2/completion', 'COMPLETION', 1, null, null, null, null, 887992438);
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
insert into "session" values ('child-26bd19f8d7660048ec2d3679598ef7fd-30ca1c8a7db5b3b5', '898b34c83bb15c93a6c2d7516df2bd63', 0, 1, 0, 0, 0, 0, 1, 0, '2026-11-16T11:15:25.852522016Z', '2026-11-16T11:15:26.119283754Z', 1940927939);
insert into "session" values ('order 1', '9a349f31e07f3bacd9a7e1194715ab1f', 1, 2, 0, 0, 4, 0, 2, 1, '2026-11-16T11:15:23.702369833Z', '2026-11-16T11:15:25.320480466Z', 977620308);
insert into "session" values ('order 2', '984ddabb457cedeed1d0b327812eae64', 0, 1, 0, 0, 0, 0, 1, 0, '2026-11-16T11:15:25.346558320Z', '2026-11-16T11:15:25.346558320Z', 1649171836);
insert into "session" values ('order 3', '090363c8231436db7d32ce8df3af8959', 0, 1, 0, 0, 0, 0, 1, 0, '2026-11-16T11:15:25.359496758Z', '2026-11-16T11:15:25.359496758Z', 724995825);
insert into "session" values ('order 4', '4bde7bb014902576b8b7976526554a9a', 0, 1, 0, 0, 0, 0, 1, 0, '2026-11-16T11:15:25.378721712Z', '2026-11-16T11:15:25.378721712Z', 3860837633);
insert into "session" values ('order 5', '7e3559c0fd3e0b19aca5ab6f42602348', 0, 1, 1, 0, 0, 0, 1, 0, '2026-11-16T11:15:25.620585021Z', '2026-11-16T11:15:25.620585021Z', 1717392302);
CREATE TABLE incarnation (
  incarnation text not null primary key check (length(incarnation) = 32),
  session text not null,
  crc integer not null
) strict, without rowid;
insert into "incarnation" values ('090363c8231436db7d32ce8df3af8959', 'order 3', 3333074415);
insert into "incarnation" values ('4bde7bb014902576b8b7976526554a9a', 'order 4', 3555905407);
insert into "incarnation" values ('7e3559c0fd3e0b19aca5ab6f42602348', 'order 5', 2031549397);
insert into "incarnation" values ('898b34c83bb15c93a6c2d7516df2bd63', 'child-26bd19f8d7660048ec2d3679598ef7fd-30ca1c8a7db5b3b5', 3722123005);
insert into "incarnation" values ('984ddabb457cedeed1d0b327812eae64', 'order 2', 2837046183);
insert into "incarnation" values ('9a349f31e07f3bacd9a7e1194715ab1f', 'order 1', 2033806273);
CREATE TABLE session_past (
  session text not null primary key,
  origin text not null,
  state text not null,
  crc integer not null
) strict, without rowid;
insert into "session_past" values ('child-26bd19f8d7660048ec2d3679598ef7fd-30ca1c8a7db5b3b5', '{"parent":"order 3","depth":1}', 'null', 767631718);
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
insert into "arrival" values ('child-26bd19f8d7660048ec2d3679598ef7fd-30ca1c8a7db5b3b5', 't', 1, 'INPUT', 'a05a2ff5f6414037187a930fd4198eda42a6db3a82f5340edbc82b8179a64e97', '{"message":{"user":[{"text":"approve"}]},"notify":"b1.AAAAAAAAAAEIu8ZuADcFlewj093cQJqTAAAAJ3R1cm4vMDkwMzYzYzgyMzE0MzZkYjdkMzJjZThkZjNhZjg5NTkvMXJvdW5kLzEvY2FsbC8wL2V2ZW50L2NoaWxkLTI2YmQxOWY4ZDc2NjAwNDhlYzJkMzY3OTU5OGVmN2ZkLTMwY2ExYzhhN2RiNWIzYjUvdA.Pgk6NR7oWZ9QR0GotlF6r5Rw_rLzThhNV_3d8BPJK7g","call":"child-26bd19f8d7660048ec2d3679598ef7fd","at":"2026-11-16T11:15:26.099296404Z"}', 1, '2026-11-16T11:15:26.119283754Z', 366670938);
insert into "arrival" values ('order 1', 'first', 1, 'INPUT', 'aa304c9ec7544d0ef7d3dbf37e22da99dd785796b1e8aed9430acb68e69acf5e', '{"message":{"user":[{"text":"look"}]},"at":"2026-11-16T11:15:23.593328647Z"}', 1, '2026-11-16T11:15:23.702369833Z', 300280434);
insert into "arrival" values ('order 1', 'in', 2, 'INPUT', '70d30acf38c9173e53f856c258e7ffc420308b57cfaf8e3cdb59111ddb3d7480', '{"message":{"user":[{"text":"look pay approve"}]},"at":"2026-11-16T11:15:25.320173169Z"}', 2, '2026-11-16T11:15:25.320480466Z', 1144770307);
insert into "arrival" values ('order 2', 'in', 1, 'INPUT', '4dd270982ae0d886b1a193e48e6485dfc9f97812613446e45b44d59a701f9ee5', '{"message":{"user":[{"text":"ship"}]},"at":"2026-11-16T11:15:25.344335712Z"}', 1, '2026-11-16T11:15:25.346558320Z', 2594769815);
insert into "arrival" values ('order 3', 'in', 1, 'INPUT', '0bd8b9a442401568784295c07add4fde8997c62a05594aaaf0fd07fa71d26a12', '{"message":{"user":[{"text":"delegate"}]},"at":"2026-11-16T11:15:25.359219916Z"}', 1, '2026-11-16T11:15:25.359496758Z', 1982665134);
insert into "arrival" values ('order 4', 'in', 1, 'INPUT', '5e8ca7949215c6d5159bc8ea4593eccb52bd56bd4855c1da2331e635a08b769c', '{"message":{"user":[{"text":"look cut"}]},"at":"2026-11-16T11:15:25.378511980Z"}', 1, '2026-11-16T11:15:25.378721712Z', 3215924195);
insert into "arrival" values ('order 5', 'in', 1, 'INPUT', '97938c215402cfe2ab2b9e6f898a243355a340e44ad02ad15ec8cfdc4cb451f2', '{"message":{"user":[{"text":"desk"}]},"loop":"desk","at":"2026-11-16T11:15:25.524552186Z"}', 1, '2026-11-16T11:15:25.620585021Z', 3394653671);
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
insert into "turn" values ('child-26bd19f8d7660048ec2d3679598ef7fd-30ca1c8a7db5b3b5', 1, 't', '2026-11-16T11:15:26.119283754Z', 1, null, null, null, null, null, null, null, null, null, 3780212687);
insert into "turn" values ('order 1', 1, 'first', '2026-11-16T11:15:23.702369833Z', 1, 'd02dfda7487cb9be3516a53e9426a139edd0ac29b365b9410b967c770e23a2c6', null, null, null, 0, 4, 0, 1, '2026-11-16T11:15:25.142411919Z', 3618502567);
insert into "turn" values ('order 1', 2, 'in', '2026-11-16T11:15:25.320480466Z', 1, null, null, null, null, null, null, null, null, null, 2461441526);
insert into "turn" values ('order 2', 1, 'in', '2026-11-16T11:15:25.346558320Z', 1, null, null, null, null, null, null, null, null, null, 3402724442);
insert into "turn" values ('order 3', 1, 'in', '2026-11-16T11:15:25.359496758Z', 1, null, null, null, null, null, null, null, null, null, 31443312);
insert into "turn" values ('order 4', 1, 'in', '2026-11-16T11:15:25.378721712Z', 1, null, null, null, null, null, null, null, null, null, 2154711354);
insert into "turn" values ('order 5', 1, 'in', '2026-11-16T11:15:25.620585021Z', 1, null, null, null, null, null, null, null, null, null, 1262599119);
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
insert into "process" values ('report', 1, 'cf098baefe07f0d2fc119c753dc3963d07b965b442bdabf14b0915256b57acd6', '2026-11-16T11:15:26.988184679Z', null, null, 1, 0, 3040409206);
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
insert into "process_event" values ('report', 'step/1/1', 1, 'written', '"page 1"', '2026-11-16T11:15:27.080185703Z', 3720879079);
CREATE TABLE process_watcher (
  process text not null,
  token text not null,
  crc integer not null,
  primary key (process, token)
) strict, without rowid;
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
commit;
