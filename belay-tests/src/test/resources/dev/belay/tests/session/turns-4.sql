-- Work under way, in format 4. Recorded; never edited.
pragma application_id = 1112293753;
pragma user_version = 4;
begin;
CREATE TABLE format (
  version integer primary key,
  checksum text not null
) strict;
insert into "format" values (4, '92c1a53d972b92d5d1c56d7de3700ca3c88ecaae56d6b98c3101fba191dd870f');
CREATE TABLE owner (
  id text not null primary key,
  last_batch integer not null,
  crc integer not null
) strict, without rowid;
insert into "owner" values ('e25defd853e1a1808a6d3ec729c1d4f7', 44, 2192063776);
CREATE TABLE counter (
  parent text not null,
  name text not null,
  value integer not null,
  digest text,
  crc integer not null,
  primary key (parent, name)
) strict, without rowid;
insert into "counter" values ('process', '', 1, null, 541518273);
CREATE TABLE secret (
  store text not null,
  id integer not null,
  bytes blob,
  crc integer not null,
  primary key (store, id)
) strict, without rowid;
insert into "secret" values ('store', 1, x'ad405471b1e149ece6ca0809d56b1be552bcdbc7060a2cecb0024e0156012ee6', 343410082);
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
insert into "scope" values ('process/report', 'process/1/report', 'PARKED', null, 1, 0, '90afa760156929972f3a0ea70a97ba1e', 1, '2026-11-19T16:46:07.572108974Z', null, null, null, 2, 1, 0, 0, 4143536835);
insert into "scope" values ('turn/02d708a3e481e23367849b9821ccf81a/1', 'turn/1', 'PARKED', null, 1, 0, '6c21d6728624ddd6ca2507799ea33c6d', 1, '2026-11-19T16:46:07.508600965Z', null, null, null, 2, 1, 1, 0, 2283383414);
insert into "scope" values ('turn/07be532e353d33cc261126c330bbd687/1', 'turn/1', 'PARKED', null, 1, 0, '406649303de24133e4aba6e88973bf7a', 1, '2026-11-19T16:46:07.471505170Z', null, null, null, 3, 1, 0, 0, 1494531390);
insert into "scope" values ('turn/3bbcdbb9d8d2cfa30baf0b74394a56f4/1', 'open-turn/1/desk', 'PARKED', null, 1, 0, '82416f6a9d06a0e089db3124cfd6b3fb', 1, '2026-11-19T16:46:07.522990619Z', null, null, null, 4, 1, 1, 0, 3317299483);
insert into "scope" values ('turn/5edbf73a09ec067b05e3e434a99b1d91/1', 'turn/1', 'READY', null, 1, 0, '2a034149f2ef118f72af077243fdd6ec', 1, '2026-11-19T16:46:32.595406710Z', null, null, null, 3, 0, 0, 0, 3392558895);
insert into "scope" values ('turn/ad3d4a4b08de25d661190c3552dde49a/1', 'turn/1', 'ENDED', null, 1, 0, '2b93a7f3228940c47a2c9fe2e3001c8d', 1, '2026-11-19T16:46:07.246692707Z', null, null, null, 3, 0, 0, 0, 2928720632);
insert into "scope" values ('turn/ad3d4a4b08de25d661190c3552dde49a/2', 'turn/1', 'PARKED', null, 1, 0, '50d1ee01cd976d764646495c2c4ef644', 1, '2026-11-19T16:46:07.424789361Z', null, null, null, 4, 1, 1, 0, 2014470135);
insert into "scope" values ('turn/fc5c836f1384fcd11624fd77b038f7da/1', 'turn/1', 'PARKED', null, 1, 0, 'b98c6609a058877f850710bb5a3b22b4', 1, '2026-11-19T16:46:07.487842081Z', null, null, null, 2, 1, 0, 0, 2544621839);
CREATE TABLE scope_input (
  scope text not null primary key,
  value text not null,
  crc integer not null
) strict, without rowid;
insert into "scope_input" values ('process/report', '{"v":1,"process":"report","incarnation":"436e8dda097d8f30e6960aa78dad5c40","start":{"recovery":"RERUN","work":{"body":"report","input":"monthly"}}}', 873132859);
insert into "scope_input" values ('turn/02d708a3e481e23367849b9821ccf81a/1', '{"v":1,"session":"child-b627143326d43964848ef2ca13e89a88-30ca1c8a7db5b3b5","incarnation":"02d708a3e481e23367849b9821ccf81a","turn":1,"above":["order 3"],"input":"t","content":{"message":{"user":[{"text":"approve"}]},"notify":"b1.AAAAAAAAAAG5jGYJoFiHf4UHELtaOyK0AAAAJ3R1cm4vZmM1YzgzNmYxMzg0ZmNkMTE2MjRmZDc3YjAzOGY3ZGEvMXJvdW5kLzEvY2FsbC8wL2V2ZW50L2NoaWxkLWI2MjcxNDMzMjZkNDM5NjQ4NDhlZjJjYTEzZTg5YTg4LTMwY2ExYzhhN2RiNWIzYjUvdA.qrQ47IhvgfgPueLt5tLr5GATKrmZMq6gesXzyzm7_rM","call":"child-b627143326d43964848ef2ca13e89a88","at":"2026-11-19T16:46:07.471784296Z"}}', 3640327156);
insert into "scope_input" values ('turn/07be532e353d33cc261126c330bbd687/1', '{"v":1,"session":"order 2","incarnation":"07be532e353d33cc261126c330bbd687","turn":1,"input":"in","content":{"message":{"user":[{"text":"ship"}]},"at":"2026-11-19T16:46:07.285135033Z"}}', 2861980387);
insert into "scope_input" values ('turn/3bbcdbb9d8d2cfa30baf0b74394a56f4/1', '{"v":1,"session":"order 5","incarnation":"3bbcdbb9d8d2cfa30baf0b74394a56f4","turn":1,"input":"in","content":{"message":{"user":[{"text":"desk"}]},"loop":"desk","at":"2026-11-19T16:46:07.326398250Z"}}', 805237775);
insert into "scope_input" values ('turn/5edbf73a09ec067b05e3e434a99b1d91/1', '{"v":1,"session":"order 4","incarnation":"5edbf73a09ec067b05e3e434a99b1d91","turn":1,"input":"in","content":{"message":{"user":[{"text":"look cut"}]},"at":"2026-11-19T16:46:07.315127683Z"}}', 3851758191);
insert into "scope_input" values ('turn/ad3d4a4b08de25d661190c3552dde49a/1', '{"v":1,"session":"order 1","incarnation":"ad3d4a4b08de25d661190c3552dde49a","turn":1,"input":"first","content":{"message":{"user":[{"text":"look"}]},"at":"2026-11-19T16:46:06.888378612Z"}}', 669585946);
insert into "scope_input" values ('turn/ad3d4a4b08de25d661190c3552dde49a/2', '{"v":1,"session":"order 1","incarnation":"ad3d4a4b08de25d661190c3552dde49a","turn":2,"input":"in","content":{"message":{"user":[{"text":"look pay approve"}]},"at":"2026-11-19T16:46:07.270893810Z"}}', 2643881066);
insert into "scope_input" values ('turn/fc5c836f1384fcd11624fd77b038f7da/1', '{"v":1,"session":"order 3","incarnation":"fc5c836f1384fcd11624fd77b038f7da","turn":1,"input":"in","content":{"message":{"user":[{"text":"delegate"}]},"at":"2026-11-19T16:46:07.293818658Z"}}', 142461396);
CREATE TABLE scope_result (
  scope text not null primary key,
  value text,
  output text,
  crc integer not null,
  check ((value is null) <> (output is null))
) strict, without rowid;
insert into "scope_result" values ('turn/ad3d4a4b08de25d661190c3552dde49a/1', '{"v":1,"session":"order 1","turn":1,"input":"first","end":{"finished":"seen"},"rounds":2,"usage":{"input":17,"output":8}}', null, 2055681408);
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
insert into "effect" values ('process/report', 'call/0/attempt/1', 0, 'attempt', '00ced802ba55efea92e143ca2921f900ba5ed5f594de7d7adcc213b0d915c65b', '{"incarnation":"436e8dda097d8f30e6960aa78dad5c40","turn":0,"round":0,"position":0,"name":"report","arguments":"{}"}', 'COMPLETED', '{"v":1,"tool":"process:report","fingerprint":"e1e144e81d049a51d7fd26da18e9245bcd2a611099a9e759be28ad14dd6c5b5a","arguments":{}}', '{"v":1,"entered":{},"call":{"v":1,"tool":"process:report","fingerprint":"e1e144e81d049a51d7fd26da18e9245bcd2a611099a9e759be28ad14dd6c5b5a","arguments":{}}}', null, 'e1e144e81d049a51d7fd26da18e9245bcd2a611099a9e759be28ad14dd6c5b5a', 'READ', null, 1, '2026-11-19T16:46:07.542130666Z', '2026-11-19T16:46:07.542130666Z', 468538864);
insert into "effect" values ('process/report', 'call/0/step/1/page', 1, 'step', '810e588c6c3c45172d724a2673e1362633038b88d7bcbc9c997c538f968b09de', '{"step":"page","input":"monthly"}', 'COMPLETED', '"monthly"', '"page 1"', null, null, 'ONCE', null, 1, '2026-11-19T16:46:07.549630093Z', '2026-11-19T16:46:07.550913369Z', 243970916);
insert into "effect" values ('turn/02d708a3e481e23367849b9821ccf81a/1', 'round/1', 0, 'round', 'df5f3175ede02f5a1cbbfb320f27a416a2917ed16766498e949e51d5195ad091', '{"input":"t","after":""}', 'COMPLETED', '{}', '{"v":1,"asked":{"model":"default","generation":1,"offered":"89ba7089d2b5f9b5f4f272fe8e772f38d3269fc76c51c87c52e778d2dda2354e","request":"d318c15b1be6c205ae5a76c7a5800a6b4c604d2fe65700c163fabd4719317779"},"reply":{"message":{"assistant":[{"call":"c-approve","name":"approve","arguments":"{}"}]},"finish":"tool_calls","usage":{"input":7,"output":3},"model":"function"}}', null, null, 'READ', null, 1, '2026-11-19T16:46:07.494913970Z', '2026-11-19T16:46:07.494913970Z', 449761964);
insert into "effect" values ('turn/02d708a3e481e23367849b9821ccf81a/1', 'round/1/call/0/attempt/1', 0, 'attempt', '543e88ee61ce3fcfafb75e512a0fc5b2256d719ad5a95cc90beec8d91956791f', '{"incarnation":"02d708a3e481e23367849b9821ccf81a","turn":1,"round":1,"position":0,"name":"approve","arguments":"{}"}', 'COMPLETED', '{"v":1,"tool":"tool:approve","fingerprint":"0aebc51d63e935af551a6941b46c364302df743f6ea61fcaf121bcb5b3f75f33","arguments":{}}', '{"v":1,"parked":{"on_timeout":"ERROR_AS_RESULT","on_cancel":"CANCEL_EXTERNAL_WORK"},"call":{"v":1,"tool":"tool:approve","fingerprint":"0aebc51d63e935af551a6941b46c364302df743f6ea61fcaf121bcb5b3f75f33","arguments":{}}}', null, '0aebc51d63e935af551a6941b46c364302df743f6ea61fcaf121bcb5b3f75f33', 'IDEMPOTENT', null, 1, '2026-11-19T16:46:07.499179528Z', '2026-11-19T16:46:07.503786066Z', 461305281);
insert into "effect" values ('turn/07be532e353d33cc261126c330bbd687/1', 'round/1', 0, 'round', 'db1d9f89e02cad9c12f3a3aefb1ea29eb9ad3506c09f05a575c9006af585132e', '{"input":"in","after":""}', 'COMPLETED', '{}', '{"v":1,"asked":{"model":"default","generation":1,"offered":"89ba7089d2b5f9b5f4f272fe8e772f38d3269fc76c51c87c52e778d2dda2354e","request":"7d89c5136f311de42104a66b44addfc8ba3b09e96e9e051ed0deecd97bc20c6e"},"reply":{"message":{"assistant":[{"call":"c-ship","name":"ship","arguments":"{}"}]},"finish":"tool_calls","usage":{"input":7,"output":3},"model":"function"}}', null, null, 'READ', null, 1, '2026-11-19T16:46:07.295611705Z', '2026-11-19T16:46:07.295611705Z', 693313158);
insert into "effect" values ('turn/07be532e353d33cc261126c330bbd687/1', 'round/1/call/0/attempt/1', 0, 'attempt', '2f63061eaba851d0eb39937cc6fadf4c7f2e396640d933f2cdb905852018099b', '{"incarnation":"07be532e353d33cc261126c330bbd687","turn":1,"round":1,"position":0,"name":"ship","arguments":"{}"}', 'COMPLETED', '{"v":1,"tool":"tool:ship","fingerprint":"981a81be10b00c5dd17de51ab1be58e1011cab1775e021e48aacdf51639d9b7d","arguments":{}}', '{"v":1,"entered":{},"call":{"v":1,"tool":"tool:ship","fingerprint":"981a81be10b00c5dd17de51ab1be58e1011cab1775e021e48aacdf51639d9b7d","arguments":{}}}', null, '981a81be10b00c5dd17de51ab1be58e1011cab1775e021e48aacdf51639d9b7d', 'READ', null, 1, '2026-11-19T16:46:07.326401355Z', '2026-11-19T16:46:07.326401355Z', 372096730);
insert into "effect" values ('turn/07be532e353d33cc261126c330bbd687/1', 'round/1/call/0/step/1/label', 1, 'step', 'e994c0a97ffb802c5f1945da415205e1e27f6e88849f70e2ce86bec50415aafa', '{"step":"label","input":"order"}', 'COMPLETED', '"order"', '"L1"', null, null, 'IDEMPOTENT', null, 1, '2026-11-19T16:46:07.449328259Z', '2026-11-19T16:46:07.449328259Z', 3858417453);
insert into "effect" values ('turn/3bbcdbb9d8d2cfa30baf0b74394a56f4/1', 'round/1', 0, 'round', 'db1d9f89e02cad9c12f3a3aefb1ea29eb9ad3506c09f05a575c9006af585132e', '{"input":"in","after":""}', 'COMPLETED', '{}', '{"v":1,"asked":{"model":"default","generation":0,"offered":"6ada6d4831ead1d230971bbe4ac2dda7236ceceebf794efb60a59c887b9bf07f","request":"8cec0f310e661f7e26128a8898a976f4ea55bddc117aac81c9bcfb50a897e5b0"},"reply":{"message":{"assistant":[{"call":"a","name":"look","arguments":"{\"at\":\"sky\"}"},{"call":"b","name":"pay","arguments":"{\"amount\":5}"},{"call":"c","name":"ask","arguments":"{\"question\":\"ok?\"}"}]},"finish":"tool_calls","usage":{"input":7,"output":3},"model":"function"}}', null, null, 'READ', null, 1, '2026-11-19T16:46:07.439726122Z', '2026-11-19T16:46:07.439726122Z', 3160959037);
insert into "effect" values ('turn/3bbcdbb9d8d2cfa30baf0b74394a56f4/1', 'round/1/call/0/attempt/1', 0, 'attempt', '3867b8cbaf9711819a1e6f4eae1939f646346a65d7917413e1684dd0c77b3686', '{"incarnation":"3bbcdbb9d8d2cfa30baf0b74394a56f4","turn":1,"round":1,"position":0,"name":"look","arguments":"{\"at\":\"sky\"}"}', 'COMPLETED', '{"v":1,"tool":"tool:look","fingerprint":"829fb7458f07de17c60fc2b3d53153048a1393f0db792d22078b3514333354fd","arguments":{"at":"sky"}}', '{"v":1,"ended":{"ok":"saw sky"}}', null, '829fb7458f07de17c60fc2b3d53153048a1393f0db792d22078b3514333354fd', 'READ', null, 1, '2026-11-19T16:46:07.483480659Z', '2026-11-19T16:46:07.483480659Z', 928921551);
insert into "effect" values ('turn/3bbcdbb9d8d2cfa30baf0b74394a56f4/1', 'round/1/call/1/attempt/1', 0, 'attempt', '87ddb48cf1c05a989d484c1979fceba9649679177d5bf0b371610281d60a0512', '{"incarnation":"3bbcdbb9d8d2cfa30baf0b74394a56f4","turn":1,"round":1,"position":1,"name":"pay","arguments":"{\"amount\":5}"}', 'COMPLETED', '{"v":1,"tool":"tool:pay","fingerprint":"a6ad092630d7cceee8a85414aacbcc687dc3317374b6c14bec55ab1987abe30a","arguments":{"amount":5}}', '{"v":1,"ended":{"ok":"paid 5"}}', null, 'a6ad092630d7cceee8a85414aacbcc687dc3317374b6c14bec55ab1987abe30a', 'ONCE', null, 1, '2026-11-19T16:46:07.502989877Z', '2026-11-19T16:46:07.505954283Z', 3241450577);
insert into "effect" values ('turn/3bbcdbb9d8d2cfa30baf0b74394a56f4/1', 'round/1/call/2/attempt/1', 0, 'attempt', '5362dd10df9e92bdc9e241fdbadd0c0ef287227ba5cf91841b455638bbcc9419', '{"incarnation":"3bbcdbb9d8d2cfa30baf0b74394a56f4","turn":1,"round":1,"position":2,"name":"ask","arguments":"{\"question\":\"ok?\"}"}', 'COMPLETED', '{"v":1,"tool":"tool:ask","fingerprint":"33a4bc2f9b50f2f814d7cad1de860a9db06c667b79b8452992f4f0310aafe7a2","arguments":{"question":"ok?"}}', '{"v":1,"parked":{"on_timeout":"ERROR_AS_RESULT","on_cancel":"CANCEL_EXTERNAL_WORK"},"call":{"v":1,"tool":"tool:ask","fingerprint":"33a4bc2f9b50f2f814d7cad1de860a9db06c667b79b8452992f4f0310aafe7a2","arguments":{"question":"ok?"}}}', null, '33a4bc2f9b50f2f814d7cad1de860a9db06c667b79b8452992f4f0310aafe7a2', 'IDEMPOTENT', null, 1, '2026-11-19T16:46:07.512271255Z', '2026-11-19T16:46:07.518601356Z', 1112555127);
insert into "effect" values ('turn/5edbf73a09ec067b05e3e434a99b1d91/1', 'round/1', 0, 'round', 'db1d9f89e02cad9c12f3a3aefb1ea29eb9ad3506c09f05a575c9006af585132e', '{"input":"in","after":""}', 'COMPLETED', '{}', '{"v":1,"asked":{"model":"default","generation":1,"offered":"89ba7089d2b5f9b5f4f272fe8e772f38d3269fc76c51c87c52e778d2dda2354e","request":"082d7af518d891d9b71d9a74ba8c27039414c46e48ac434c6729b1b7b447e25a"},"reply":{"message":{"assistant":[{"call":"c-look","name":"look","arguments":"{}"}]},"finish":"tool_calls","usage":{"input":7,"output":3},"model":"function"}}', null, null, 'READ', null, 1, '2026-11-19T16:46:07.329286112Z', '2026-11-19T16:46:07.329286112Z', 3840964828);
insert into "effect" values ('turn/5edbf73a09ec067b05e3e434a99b1d91/1', 'round/1/call/0/attempt/1', 0, 'attempt', '5196be79757301bb02cbfce9d262b0de054c041bca8d967d1721027ce7d912d7', '{"incarnation":"5edbf73a09ec067b05e3e434a99b1d91","turn":1,"round":1,"position":0,"name":"look","arguments":"{}"}', 'COMPLETED', '{"v":1,"tool":"tool:look","fingerprint":"39467e351a8c0b6328947a47ef9dd63971f86334d956e36b3835703d4771876b","arguments":{}}', '{"v":1,"ended":{"ok":"seen"}}', null, '39467e351a8c0b6328947a47ef9dd63971f86334d956e36b3835703d4771876b', 'READ', null, 1, '2026-11-19T16:46:07.444273452Z', '2026-11-19T16:46:07.444273452Z', 3583741319);
insert into "effect" values ('turn/5edbf73a09ec067b05e3e434a99b1d91/1', 'round/2', 1, 'round', '096970143c7901cbe811a75c92b7a82aa934693952f8a077200137ff4116b88e', '{"input":"in","after":"5d3e47b05192c0ecc689d587eb3154a386dbf10477452260afc84b352f15bebc"}', 'STARTED', '{}', null, null, null, 'READ', null, 1, '2026-11-19T16:46:32.593166125Z', '2026-11-19T16:46:32.593166125Z', 3428209737);
insert into "effect" values ('turn/ad3d4a4b08de25d661190c3552dde49a/1', 'round/1', 0, 'round', '7525aa2f628f329065a1f2d3a23d0f9e62f8787d8ab9804e598204efe66e9556', '{"input":"first","after":""}', 'COMPLETED', '{}', '{"v":1,"asked":{"model":"default","generation":1,"offered":"89ba7089d2b5f9b5f4f272fe8e772f38d3269fc76c51c87c52e778d2dda2354e","request":"8cf932256db97acc2375cd345e5ef33b9778ca2b996a004514fb54d0663f0db7"},"reply":{"message":{"assistant":[{"call":"c-look","name":"look","arguments":"{}"}]},"finish":"tool_calls","usage":{"input":7,"output":3},"model":"function"}}', null, null, 'READ', null, 1, '2026-11-19T16:46:07.068304758Z', '2026-11-19T16:46:07.068304758Z', 4275934358);
insert into "effect" values ('turn/ad3d4a4b08de25d661190c3552dde49a/1', 'round/1/call/0/attempt/1', 0, 'attempt', '1e6e4b77df6c1d7452995e64d33e9bf4e3ab35f1316597f23ce20f2be57844c3', '{"incarnation":"ad3d4a4b08de25d661190c3552dde49a","turn":1,"round":1,"position":0,"name":"look","arguments":"{}"}', 'COMPLETED', '{"v":1,"tool":"tool:look","fingerprint":"39467e351a8c0b6328947a47ef9dd63971f86334d956e36b3835703d4771876b","arguments":{}}', '{"v":1,"ended":{"ok":"seen"}}', null, '39467e351a8c0b6328947a47ef9dd63971f86334d956e36b3835703d4771876b', 'READ', null, 1, '2026-11-19T16:46:07.205342119Z', '2026-11-19T16:46:07.205342119Z', 2597801211);
insert into "effect" values ('turn/ad3d4a4b08de25d661190c3552dde49a/1', 'round/2', 1, 'round', '64bc27f23045047ac06eef54a3fbfe8e9cd70c72ba409eac2cb70bec913c35c5', '{"input":"first","after":"97f27e9f366248f06be1996a9cd2fc059411aef065b4a2342f880b88ebeba2fd"}', 'COMPLETED', '{}', '{"v":1,"asked":{"model":"default","generation":1,"offered":"89ba7089d2b5f9b5f4f272fe8e772f38d3269fc76c51c87c52e778d2dda2354e","request":"3297a1dfd2744a2a6c9d3da7ea473c86911822a05765e2b7e0f84dca0419772e"},"reply":{"message":{"assistant":[{"text":"seen"}]},"finish":"stop","usage":{"input":10,"output":5},"model":"function"},"end":{"finished":"seen"}}', null, null, 'READ', null, 1, '2026-11-19T16:46:07.234430499Z', '2026-11-19T16:46:07.234430499Z', 4033470275);
insert into "effect" values ('turn/ad3d4a4b08de25d661190c3552dde49a/2', 'round/1', 0, 'round', 'db1d9f89e02cad9c12f3a3aefb1ea29eb9ad3506c09f05a575c9006af585132e', '{"input":"in","after":""}', 'COMPLETED', '{}', '{"v":1,"asked":{"model":"default","generation":1,"offered":"89ba7089d2b5f9b5f4f272fe8e772f38d3269fc76c51c87c52e778d2dda2354e","request":"5c66e8bafa30839e18ca3740effbb2036bf2efef7bac949c8b1656c6c5b3525f"},"reply":{"message":{"assistant":[{"call":"c-look","name":"look","arguments":"{}"},{"call":"c-pay","name":"pay","arguments":"{}"},{"call":"c-approve","name":"approve","arguments":"{}"}]},"finish":"tool_calls","usage":{"input":7,"output":3},"model":"function"}}', null, null, 'READ', null, 1, '2026-11-19T16:46:07.288184285Z', '2026-11-19T16:46:07.288184285Z', 1019634364);
insert into "effect" values ('turn/ad3d4a4b08de25d661190c3552dde49a/2', 'round/1/call/0/attempt/1', 0, 'attempt', '5fe78f8f384f97cb3deff52bea043e3a653c866a76f07854a4d8e8a723aecf09', '{"incarnation":"ad3d4a4b08de25d661190c3552dde49a","turn":2,"round":1,"position":0,"name":"look","arguments":"{}"}', 'COMPLETED', '{"v":1,"tool":"tool:look","fingerprint":"39467e351a8c0b6328947a47ef9dd63971f86334d956e36b3835703d4771876b","arguments":{}}', '{"v":1,"ended":{"ok":"seen"}}', null, '39467e351a8c0b6328947a47ef9dd63971f86334d956e36b3835703d4771876b', 'READ', null, 1, '2026-11-19T16:46:07.307097614Z', '2026-11-19T16:46:07.307097614Z', 4289444621);
insert into "effect" values ('turn/ad3d4a4b08de25d661190c3552dde49a/2', 'round/1/call/1/attempt/1', 0, 'attempt', 'ad92429c11c5b4df2de1174478e63f39387a302c279be2fcb367f1c9468c41a6', '{"incarnation":"ad3d4a4b08de25d661190c3552dde49a","turn":2,"round":1,"position":1,"name":"pay","arguments":"{}"}', 'COMPLETED', '{"v":1,"tool":"tool:pay","fingerprint":"42cf8bd54cce49140be17dedf08f5de0197f3bcbd0fdb7b543a42878e1d06e35","arguments":{}}', '{"v":1,"ended":{"ok":"paid"}}', null, '42cf8bd54cce49140be17dedf08f5de0197f3bcbd0fdb7b543a42878e1d06e35', 'ONCE', null, 1, '2026-11-19T16:46:07.302429053Z', '2026-11-19T16:46:07.324394208Z', 1842641349);
insert into "effect" values ('turn/ad3d4a4b08de25d661190c3552dde49a/2', 'round/1/call/2/attempt/1', 0, 'attempt', 'a657412398d6189a2c1ea165ce67b1cdcab6d8ce28eb03abe19b4e021af9cdab', '{"incarnation":"ad3d4a4b08de25d661190c3552dde49a","turn":2,"round":1,"position":2,"name":"approve","arguments":"{}"}', 'COMPLETED', '{"v":1,"tool":"tool:approve","fingerprint":"0aebc51d63e935af551a6941b46c364302df743f6ea61fcaf121bcb5b3f75f33","arguments":{}}', '{"v":1,"parked":{"on_timeout":"ERROR_AS_RESULT","on_cancel":"CANCEL_EXTERNAL_WORK"},"call":{"v":1,"tool":"tool:approve","fingerprint":"0aebc51d63e935af551a6941b46c364302df743f6ea61fcaf121bcb5b3f75f33","arguments":{}}}', null, '0aebc51d63e935af551a6941b46c364302df743f6ea61fcaf121bcb5b3f75f33', 'IDEMPOTENT', null, 1, '2026-11-19T16:46:07.303100295Z', '2026-11-19T16:46:07.411435504Z', 1887827969);
insert into "effect" values ('turn/fc5c836f1384fcd11624fd77b038f7da/1', 'round/1', 0, 'round', 'db1d9f89e02cad9c12f3a3aefb1ea29eb9ad3506c09f05a575c9006af585132e', '{"input":"in","after":""}', 'COMPLETED', '{}', '{"v":1,"asked":{"model":"default","generation":1,"offered":"89ba7089d2b5f9b5f4f272fe8e772f38d3269fc76c51c87c52e778d2dda2354e","request":"11c87d979c10b159cacd7a81f0b3feaa5b2dc50bb857ff5ad2bfc535b077db0c"},"reply":{"message":{"assistant":[{"call":"c-delegate","name":"delegate","arguments":"{}"}]},"finish":"tool_calls","usage":{"input":7,"output":3},"model":"function"}}', null, null, 'READ', null, 1, '2026-11-19T16:46:07.327775116Z', '2026-11-19T16:46:07.327775116Z', 1719903239);
insert into "effect" values ('turn/fc5c836f1384fcd11624fd77b038f7da/1', 'round/1/call/0/attempt/1', 0, 'attempt', 'fe18543030fb033f5cfdc7cf3df4ceffc349279e8b0fb520b349c95d5377e0ee', '{"incarnation":"fc5c836f1384fcd11624fd77b038f7da","turn":1,"round":1,"position":0,"name":"delegate","arguments":"{}"}', 'COMPLETED', '{"v":1,"tool":"tool:delegate","fingerprint":"2c2b36cbee74c2dc334649e2a3583e967e04499d5a29842420ccb43f1dfce453","arguments":{}}', '{"v":1,"entered":{},"call":{"v":1,"tool":"tool:delegate","fingerprint":"2c2b36cbee74c2dc334649e2a3583e967e04499d5a29842420ccb43f1dfce453","arguments":{}}}', null, '2c2b36cbee74c2dc334649e2a3583e967e04499d5a29842420ccb43f1dfce453', 'READ', null, 1, '2026-11-19T16:46:07.441869312Z', '2026-11-19T16:46:07.441869312Z', 2306423749);
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
insert into "wait" values ('turn/02d708a3e481e23367849b9821ccf81a/1', 'round/1/call/0/completion', 'COMPLETION', 1, null, null, null, null, 2240694451);
insert into "wait" values ('turn/07be532e353d33cc261126c330bbd687/1', 'round/1/call/0/event/picked', 'EVENT', 1, null, null, null, null, 811191486);
insert into "wait" values ('turn/3bbcdbb9d8d2cfa30baf0b74394a56f4/1', 'round/1/call/2/completion', 'COMPLETION', 1, null, null, null, null, 2673903082);
insert into "wait" values ('turn/ad3d4a4b08de25d661190c3552dde49a/2', 'round/1/call/2/completion', 'COMPLETION', 1, null, null, null, null, 264892713);
insert into "wait" values ('turn/fc5c836f1384fcd11624fd77b038f7da/1', 'round/1/call/0/event/child-b627143326d43964848ef2ca13e89a88-30ca1c8a7db5b3b5/t', 'EVENT', 1, null, null, null, null, 341744170);
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
insert into "session" values ('child-b627143326d43964848ef2ca13e89a88-30ca1c8a7db5b3b5', '02d708a3e481e23367849b9821ccf81a', 0, 1, 0, 0, 0, 0, 1, 0, '2026-11-19T16:46:07.450836711Z', '2026-11-19T16:46:07.472326646Z', 673953386);
insert into "session" values ('order 1', 'ad3d4a4b08de25d661190c3552dde49a', 1, 2, 0, 0, 4, 0, 2, 1, '2026-11-19T16:46:06.902511162Z', '2026-11-19T16:46:07.271188650Z', 3580252201);
insert into "session" values ('order 2', '07be532e353d33cc261126c330bbd687', 0, 1, 0, 0, 0, 0, 1, 0, '2026-11-19T16:46:07.287810487Z', '2026-11-19T16:46:07.287810487Z', 2744381772);
insert into "session" values ('order 3', 'fc5c836f1384fcd11624fd77b038f7da', 0, 1, 0, 0, 0, 0, 1, 0, '2026-11-19T16:46:07.293975171Z', '2026-11-19T16:46:07.293975171Z', 2429969932);
insert into "session" values ('order 4', '5edbf73a09ec067b05e3e434a99b1d91', 0, 1, 0, 0, 0, 0, 1, 0, '2026-11-19T16:46:07.315541711Z', '2026-11-19T16:46:07.315541711Z', 652079483);
insert into "session" values ('order 5', '3bbcdbb9d8d2cfa30baf0b74394a56f4', 0, 1, 1, 0, 0, 0, 1, 0, '2026-11-19T16:46:07.328394430Z', '2026-11-19T16:46:07.328394430Z', 3266156686);
CREATE TABLE incarnation (
  incarnation text not null primary key check (length(incarnation) = 32),
  session text not null,
  crc integer not null
) strict, without rowid;
insert into "incarnation" values ('02d708a3e481e23367849b9821ccf81a', 'child-b627143326d43964848ef2ca13e89a88-30ca1c8a7db5b3b5', 2483968074);
insert into "incarnation" values ('07be532e353d33cc261126c330bbd687', 'order 2', 1119580004);
insert into "incarnation" values ('3bbcdbb9d8d2cfa30baf0b74394a56f4', 'order 5', 1851768001);
insert into "incarnation" values ('5edbf73a09ec067b05e3e434a99b1d91', 'order 4', 1996452429);
insert into "incarnation" values ('ad3d4a4b08de25d661190c3552dde49a', 'order 1', 3590195987);
insert into "incarnation" values ('fc5c836f1384fcd11624fd77b038f7da', 'order 3', 212805359);
CREATE TABLE session_past (
  session text not null primary key,
  origin text not null,
  state text not null,
  crc integer not null
) strict, without rowid;
insert into "session_past" values ('child-b627143326d43964848ef2ca13e89a88-30ca1c8a7db5b3b5', '{"parent":"order 3","depth":1,"family":"fc5c836f1384fcd11624fd77b038f7da"}', 'null', 1109866393);
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
insert into "arrival" values ('child-b627143326d43964848ef2ca13e89a88-30ca1c8a7db5b3b5', 't', 1, 'INPUT', 'a05a2ff5f6414037187a930fd4198eda42a6db3a82f5340edbc82b8179a64e97', '{"message":{"user":[{"text":"approve"}]},"notify":"b1.AAAAAAAAAAG5jGYJoFiHf4UHELtaOyK0AAAAJ3R1cm4vZmM1YzgzNmYxMzg0ZmNkMTE2MjRmZDc3YjAzOGY3ZGEvMXJvdW5kLzEvY2FsbC8wL2V2ZW50L2NoaWxkLWI2MjcxNDMzMjZkNDM5NjQ4NDhlZjJjYTEzZTg5YTg4LTMwY2ExYzhhN2RiNWIzYjUvdA.qrQ47IhvgfgPueLt5tLr5GATKrmZMq6gesXzyzm7_rM","call":"child-b627143326d43964848ef2ca13e89a88","at":"2026-11-19T16:46:07.471784296Z"}', 1, '2026-11-19T16:46:07.472326646Z', 2583616528);
insert into "arrival" values ('order 1', 'first', 1, 'INPUT', 'aa304c9ec7544d0ef7d3dbf37e22da99dd785796b1e8aed9430acb68e69acf5e', '{"message":{"user":[{"text":"look"}]},"at":"2026-11-19T16:46:06.888378612Z"}', 1, '2026-11-19T16:46:06.902511162Z', 4069640866);
insert into "arrival" values ('order 1', 'in', 2, 'INPUT', '70d30acf38c9173e53f856c258e7ffc420308b57cfaf8e3cdb59111ddb3d7480', '{"message":{"user":[{"text":"look pay approve"}]},"at":"2026-11-19T16:46:07.270893810Z"}', 2, '2026-11-19T16:46:07.271188650Z', 394267174);
insert into "arrival" values ('order 2', 'in', 1, 'INPUT', '4dd270982ae0d886b1a193e48e6485dfc9f97812613446e45b44d59a701f9ee5', '{"message":{"user":[{"text":"ship"}]},"at":"2026-11-19T16:46:07.285135033Z"}', 1, '2026-11-19T16:46:07.287810487Z', 785120336);
insert into "arrival" values ('order 3', 'in', 1, 'INPUT', '0bd8b9a442401568784295c07add4fde8997c62a05594aaaf0fd07fa71d26a12', '{"message":{"user":[{"text":"delegate"}]},"at":"2026-11-19T16:46:07.293818658Z"}', 1, '2026-11-19T16:46:07.293975171Z', 2862871533);
insert into "arrival" values ('order 4', 'in', 1, 'INPUT', '5e8ca7949215c6d5159bc8ea4593eccb52bd56bd4855c1da2331e635a08b769c', '{"message":{"user":[{"text":"look cut"}]},"at":"2026-11-19T16:46:07.315127683Z"}', 1, '2026-11-19T16:46:07.315541711Z', 2862494955);
insert into "arrival" values ('order 5', 'in', 1, 'INPUT', '97938c215402cfe2ab2b9e6f898a243355a340e44ad02ad15ec8cfdc4cb451f2', '{"message":{"user":[{"text":"desk"}]},"loop":"desk","at":"2026-11-19T16:46:07.326398250Z"}', 1, '2026-11-19T16:46:07.328394430Z', 728187264);
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
insert into "turn" values ('child-b627143326d43964848ef2ca13e89a88-30ca1c8a7db5b3b5', 1, 't', '2026-11-19T16:46:07.472326646Z', 1, null, null, null, null, null, null, null, null, null, 1631256967);
insert into "turn" values ('order 1', 1, 'first', '2026-11-19T16:46:06.902511162Z', 1, 'baf2165b837bcee3be0b633875d29ed05657e7f57c0fac1de9cbf6a03c7ae15e', null, null, null, 0, 4, 0, 1, '2026-11-19T16:46:07.246692707Z', 4225718808);
insert into "turn" values ('order 1', 2, 'in', '2026-11-19T16:46:07.271188650Z', 1, null, null, null, null, null, null, null, null, null, 3689684133);
insert into "turn" values ('order 2', 1, 'in', '2026-11-19T16:46:07.287810487Z', 1, null, null, null, null, null, null, null, null, null, 3397424421);
insert into "turn" values ('order 3', 1, 'in', '2026-11-19T16:46:07.293975171Z', 1, null, null, null, null, null, null, null, null, null, 2824292847);
insert into "turn" values ('order 4', 1, 'in', '2026-11-19T16:46:07.315541711Z', 1, null, null, null, null, null, null, null, null, null, 3951606825);
insert into "turn" values ('order 5', 1, 'in', '2026-11-19T16:46:07.328394430Z', 1, null, null, null, null, null, null, null, null, null, 2846810011);
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
insert into "process" values ('report', 1, 'cf098baefe07f0d2fc119c753dc3963d07b965b442bdabf14b0915256b57acd6', '2026-11-19T16:46:07.531849035Z', null, null, 1, 0, 902757699);
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
insert into "process_event" values ('report', 'step/1/1', 1, 'written', '"page 1"', '2026-11-19T16:46:07.562954176Z', 276830870);
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
insert into "session_profile" values ('child-b627143326d43964848ef2ca13e89a88-30ca1c8a7db5b3b5', 'default', null, '{"":["order 3"]}', 1712624284);
CREATE TABLE audit (
  store text not null,
  place integer not null,
  at text not null,
  actor text not null,
  door text not null,
  os_user text not null,
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
insert into "wait_key" values ('process/report', 'call/0/event/signal/1/go', 'wdb361203daa15688aeb6948c', '2026-11-19T16:46:07.572108974Z wdb361203daa15688aeb6948c', null, 1194751528);
insert into "wait_key" values ('turn/02d708a3e481e23367849b9821ccf81a/1', 'round/1/call/0/completion', 'w63e7f4a1149dc9054e7fb99b', '2026-11-19T16:46:07.503786066Z w63e7f4a1149dc9054e7fb99b', null, 1440456540);
insert into "wait_key" values ('turn/07be532e353d33cc261126c330bbd687/1', 'round/1/call/0/event/picked', 'w9b25dbd50972d5cbda21d424', '2026-11-19T16:46:07.471505170Z w9b25dbd50972d5cbda21d424', null, 562736631);
insert into "wait_key" values ('turn/3bbcdbb9d8d2cfa30baf0b74394a56f4/1', 'round/1/call/2/completion', 'wed54261cd82334ea1fa8448e', '2026-11-19T16:46:07.518601356Z wed54261cd82334ea1fa8448e', '{"schema":{"type":"string"},"formats":"ASSERT","draft":"DRAFT_2020_12"}', 2928688456);
insert into "wait_key" values ('turn/ad3d4a4b08de25d661190c3552dde49a/2', 'round/1/call/2/completion', 'wf41e9aa4a7415719e1a7ce34', '2026-11-19T16:46:07.411435504Z wf41e9aa4a7415719e1a7ce34', null, 933273132);
insert into "wait_key" values ('turn/fc5c836f1384fcd11624fd77b038f7da/1', 'round/1/call/0/event/child-b627143326d43964848ef2ca13e89a88-30ca1c8a7db5b3b5/t', 'w0b4a7fbfcb7e3834f2ae03a0', '2026-11-19T16:46:07.487842081Z w0b4a7fbfcb7e3834f2ae03a0', null, 455458823);
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
insert into "held" values ('below/order 3', 'turn/02d708a3e481e23367849b9821ccf81a/1', '2026-11-19T16:46:07.472326646Z', 3501903148);
CREATE TABLE awaited (
  scope text not null primary key,
  fence integer not null,
  what text not null,
  name text not null,
  since text not null,
  crc integer not null
) strict, without rowid;
insert into "awaited" values ('turn/5edbf73a09ec067b05e3e434a99b1d91/1', 1, 'MODEL', 'round 2', '2026-11-19T16:46:07.450679536Z', 2967738685);
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
