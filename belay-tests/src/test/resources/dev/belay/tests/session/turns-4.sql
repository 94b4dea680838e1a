-- Work under way as format 4 wrote it. Never edit: every later version must finish it.
PRAGMA user_version=4;
PRAGMA application_id=1112293753;
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE migration (version integer primary key, name text not null, checksum text not null) strict;
INSERT INTO migration VALUES(1,'V001__journal.sql','fe5787def36226cd23c29cd36f948825ec7da3d3a337d18e108353f8cdb32481');
INSERT INTO migration VALUES(2,'V002__sessions.sql','cc8f541d78bc65776190e5fa4704780f34b212149952cf0dbc3ba5fe05fdb541');
INSERT INTO migration VALUES(3,'V003__processes.sql','f23150148449a9535b00dfea3b8e1162198ca12979d0946fdc446e5a3c98ec59');
INSERT INTO migration VALUES(4,'V004__attachments.sql','f4774503455b7f267657ce6d936d578dee58c00ef9a51b8ac33557a66e99be84');
CREATE TABLE owner (
  id text not null primary key,
  last_batch integer not null
) strict, without rowid;
INSERT INTO owner VALUES('bfdc582e40cef5bc2c134ba930fcaec6',35);
CREATE TABLE secret (
  id integer primary key,
  bytes blob
) strict;
INSERT INTO secret VALUES(1,X'8c4af7f2883308bb76280ce13fa555ddfc3431e370d265687b16cc52ca58d776');
CREATE TABLE output (
  hash text not null primary key,
  written_at text not null
) strict, without rowid;
CREATE TABLE output_bytes (
  n integer primary key,
  hash text not null unique references output (hash) on delete cascade,
  bytes blob not null
) strict;
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
INSERT INTO scope VALUES(1,'turn/288070fc68781b1278d53e43add29ee8/1','1e1afe64e3118c9045f4bfd288b2cf55994db7cec30efe033242f03ef0696f51','ENDED',NULL,1,0,X'd6249e37ff03dc804e3126744d513991',1,'2026-11-16T08:14:49.349571026Z',NULL,NULL,NULL,'{"v":1,"session":"order 1","turn":1,"input":"first","end":{"finished":"seen"},"rounds":2,"usage":{"input":17,"output":8}}',NULL,0);
INSERT INTO scope VALUES(2,'turn/288070fc68781b1278d53e43add29ee8/2','df53212ef015146ea7dc474264ef55c1e03b1ad5a141d4a0d1f948612462559a','PARKED',NULL,1,0,X'cc64628997111d0d1b4d095062ee1ecd',1,'2026-11-16T08:14:49.606270587Z',NULL,NULL,NULL,NULL,NULL,0);
INSERT INTO scope VALUES(3,'turn/5d6c9653cf8fcbaf1124fbe39fc14b92/1','ce0af55db74f759f70bce50158dec90992e2ee1257e9194f9278960b37604fdc','PARKED',NULL,1,0,X'3879fda33570b6bf5a4e89f05351d80d',1,'2026-11-16T08:14:49.720794024Z',NULL,NULL,NULL,NULL,NULL,0);
INSERT INTO scope VALUES(4,'turn/488227aa0a1be481d0472f7508e0b11d/1','cabb5a555453fa977501de6b63258fd52670e8885acfd1655c852a32fc782af3','PARKED',NULL,1,0,X'6b50eff5ba103570bb515f01dc604ed3',1,'2026-11-16T08:14:49.713044840Z',NULL,NULL,NULL,NULL,NULL,0);
INSERT INTO scope VALUES(5,'turn/552d4a86af4ef010849acba1599f32a9/1','412243f37118a666750be54a9c92c582cff1d7936390a93a3293f9c4b5b672ed','READY',NULL,1,0,X'84f058d82f400e1236ec98716b2d7f1c',1,'2026-11-16T08:14:50.975140951Z',NULL,NULL,NULL,NULL,NULL,0);
INSERT INTO scope VALUES(6,'turn/8dbb99e2bfc38ca13f6f626ab95d9865/1','61c4db89f33abc663617d49379f4e840bcbe609df1f20e7c3500314cf3860530','PARKED',NULL,1,0,X'90da2535e152561848da590a888e3f65',1,'2026-11-16T08:14:49.771937175Z',NULL,NULL,NULL,NULL,NULL,0);
INSERT INTO scope VALUES(7,'turn/b4ab13847a76987f46790da57e1292e1/1','80b05a7c6bf8cac62f089beab11ba84a9212f2efffeffe27f0bea1ccd7c30d62','PARKED',NULL,1,0,X'39b4507a1c74db1f8dff5f8d4565442b',1,'2026-11-16T08:14:49.727706612Z',NULL,NULL,NULL,NULL,NULL,0);
INSERT INTO scope VALUES(8,'process/report','c12b4c42a2debb1112337591c69462a9be4a98733d65984d009911b20323638f','PARKED',NULL,1,0,X'58240d742036c3cee6af7f549587012d',1,'2026-11-16T08:14:49.938104478Z',NULL,NULL,NULL,NULL,NULL,0);
CREATE TABLE scope_input (
  scope integer primary key references scope (n),
  kind text not null,
  value text not null
) strict;
INSERT INTO scope_input VALUES(1,'turn/1','{"v":1,"session":"order 1","incarnation":"288070fc68781b1278d53e43add29ee8","turn":1,"input":"first","content":{"message":{"user":[{"text":"look"}]},"at":"2026-11-16T08:14:48.236058907Z"}}');
INSERT INTO scope_input VALUES(2,'turn/1','{"v":1,"session":"order 1","incarnation":"288070fc68781b1278d53e43add29ee8","turn":2,"input":"in","content":{"message":{"user":[{"text":"look pay approve"}]},"at":"2026-11-16T08:14:49.399897006Z"}}');
INSERT INTO scope_input VALUES(3,'turn/1','{"v":1,"session":"order 2","incarnation":"5d6c9653cf8fcbaf1124fbe39fc14b92","turn":1,"input":"in","content":{"message":{"user":[{"text":"ship"}]},"at":"2026-11-16T08:14:49.417883021Z"}}');
INSERT INTO scope_input VALUES(4,'turn/1','{"v":1,"session":"order 3","incarnation":"488227aa0a1be481d0472f7508e0b11d","turn":1,"input":"in","content":{"message":{"user":[{"text":"delegate"}]},"at":"2026-11-16T08:14:49.422069462Z"}}');
INSERT INTO scope_input VALUES(5,'turn/1','{"v":1,"session":"order 4","incarnation":"552d4a86af4ef010849acba1599f32a9","turn":1,"input":"in","content":{"message":{"user":[{"text":"look cut"}]},"at":"2026-11-16T08:14:49.459634144Z"}}');
INSERT INTO scope_input VALUES(6,'open-turn/1/desk','{"v":1,"session":"order 5","incarnation":"8dbb99e2bfc38ca13f6f626ab95d9865","turn":1,"input":"in","content":{"message":{"user":[{"text":"desk"}]},"loop":"desk","at":"2026-11-16T08:14:49.496403040Z"}}');
INSERT INTO scope_input VALUES(7,'turn/1','{"v":1,"session":"child-19a825b2377a23a38caf45aa5d284465-30ca1c8a7db5b3b5","incarnation":"b4ab13847a76987f46790da57e1292e1","turn":1,"input":"t","content":{"message":{"user":[{"text":"approve"}]},"notify":"b1.AAAAAAAAAAFrUO_1uhA1cLtRXwHcYE7TAAAAJ3R1cm4vNDg4MjI3YWEwYTFiZTQ4MWQwNDcyZjc1MDhlMGIxMWQvMXJvdW5kLzEvY2FsbC8wL2V2ZW50L2NoaWxkLTE5YTgyNWIyMzc3YTIzYTM4Y2FmNDVhYTVkMjg0NDY1LTMwY2ExYzhhN2RiNWIzYjUvdA.twwDm18jW9RXkuqhyaqbMt16qxsrZSMmtW38MxxtxpU","call":"child-19a825b2377a23a38caf45aa5d284465","at":"2026-11-16T08:14:49.632525335Z"}}');
INSERT INTO scope_input VALUES(8,'process/1/report','{"v":1,"process":"report","incarnation":"e8a209eaac7a0f01e2e4bb0b5bb82309","start":{"recovery":"RERUN","work":{"body":"report","input":"monthly"}}}');
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
INSERT INTO effect VALUES(1,'round/1',0,'round','7525aa2f628f329065a1f2d3a23d0f9e62f8787d8ab9804e598204efe66e9556','{"input":"first","after":""}','COMPLETED','{}','{"v":1,"asked":{"model":"default","generation":1,"offered":"89ba7089d2b5f9b5f4f272fe8e772f38d3269fc76c51c87c52e778d2dda2354e","request":"8cf932256db97acc2375cd345e5ef33b9778ca2b996a004514fb54d0663f0db7"},"reply":{"message":{"assistant":[{"call":"c-look","name":"look","arguments":"{}"}]},"finish":"tool_calls","usage":{"input":7,"output":3},"model":"function"}}',NULL,NULL,'READ',NULL,1,'2026-11-16T08:14:48.820501079Z','2026-11-16T08:14:48.820501079Z');
INSERT INTO effect VALUES(1,'round/1/call/0/attempt/1',0,'attempt','befa8284f3f6d61fc2ec6aaa528e8080f7053e72c0fda3e6bfa681be0f74b16c','{"incarnation":"288070fc68781b1278d53e43add29ee8","turn":1,"round":1,"position":0,"name":"look","arguments":"{}"}','COMPLETED','{"v":1,"tool":"tool:look","fingerprint":"39467e351a8c0b6328947a47ef9dd63971f86334d956e36b3835703d4771876b","arguments":{}}','{"v":1,"ended":{"ok":"seen"}}',NULL,'39467e351a8c0b6328947a47ef9dd63971f86334d956e36b3835703d4771876b','READ',NULL,1,'2026-11-16T08:14:49.269339439Z','2026-11-16T08:14:49.269339439Z');
INSERT INTO effect VALUES(1,'round/2',1,'round','64bc27f23045047ac06eef54a3fbfe8e9cd70c72ba409eac2cb70bec913c35c5','{"input":"first","after":"97f27e9f366248f06be1996a9cd2fc059411aef065b4a2342f880b88ebeba2fd"}','COMPLETED','{}','{"v":1,"asked":{"model":"default","generation":1,"offered":"89ba7089d2b5f9b5f4f272fe8e772f38d3269fc76c51c87c52e778d2dda2354e","request":"3297a1dfd2744a2a6c9d3da7ea473c86911822a05765e2b7e0f84dca0419772e"},"reply":{"message":{"assistant":[{"text":"seen"}]},"finish":"stop","usage":{"input":10,"output":5},"model":"function"},"end":{"finished":"seen"}}',NULL,NULL,'READ',NULL,1,'2026-11-16T08:14:49.328565341Z','2026-11-16T08:14:49.328565341Z');
INSERT INTO effect VALUES(2,'round/1',0,'round','db1d9f89e02cad9c12f3a3aefb1ea29eb9ad3506c09f05a575c9006af585132e','{"input":"in","after":""}','COMPLETED','{}','{"v":1,"asked":{"model":"default","generation":1,"offered":"89ba7089d2b5f9b5f4f272fe8e772f38d3269fc76c51c87c52e778d2dda2354e","request":"5c66e8bafa30839e18ca3740effbb2036bf2efef7bac949c8b1656c6c5b3525f"},"reply":{"message":{"assistant":[{"call":"c-look","name":"look","arguments":"{}"},{"call":"c-pay","name":"pay","arguments":"{}"},{"call":"c-approve","name":"approve","arguments":"{}"}]},"finish":"tool_calls","usage":{"input":7,"output":3},"model":"function"}}',NULL,NULL,'READ',NULL,1,'2026-11-16T08:14:49.420890137Z','2026-11-16T08:14:49.420890137Z');
INSERT INTO effect VALUES(2,'round/1/call/0/attempt/1',0,'attempt','84c63c406f6d7ad8c99410fb5e66b9e7f223565304ab39d4bcfadc2330a7a21a','{"incarnation":"288070fc68781b1278d53e43add29ee8","turn":2,"round":1,"position":0,"name":"look","arguments":"{}"}','COMPLETED','{"v":1,"tool":"tool:look","fingerprint":"39467e351a8c0b6328947a47ef9dd63971f86334d956e36b3835703d4771876b","arguments":{}}','{"v":1,"ended":{"ok":"seen"}}',NULL,'39467e351a8c0b6328947a47ef9dd63971f86334d956e36b3835703d4771876b','READ',NULL,1,'2026-11-16T08:14:49.452739892Z','2026-11-16T08:14:49.452739892Z');
INSERT INTO effect VALUES(2,'round/1/call/1/attempt/1',0,'attempt','9d3ebe905b0dcc39a6db8f6dced2b139a2aed768d40d5c72c57af32fd157034f','{"incarnation":"288070fc68781b1278d53e43add29ee8","turn":2,"round":1,"position":1,"name":"pay","arguments":"{}"}','COMPLETED','{"v":1,"tool":"tool:pay","fingerprint":"42cf8bd54cce49140be17dedf08f5de0197f3bcbd0fdb7b543a42878e1d06e35","arguments":{}}','{"v":1,"ended":{"ok":"paid"}}',NULL,'42cf8bd54cce49140be17dedf08f5de0197f3bcbd0fdb7b543a42878e1d06e35','ONCE',NULL,1,'2026-11-16T08:14:49.442371180Z','2026-11-16T08:14:49.460490398Z');
INSERT INTO effect VALUES(2,'round/1/call/2/attempt/1',0,'attempt','4f87a1c1ee878c63695a9613190a541ede0a50183b91ad5e11281c62573f4179','{"incarnation":"288070fc68781b1278d53e43add29ee8","turn":2,"round":1,"position":2,"name":"approve","arguments":"{}"}','COMPLETED','{"v":1,"tool":"tool:approve","fingerprint":"0aebc51d63e935af551a6941b46c364302df743f6ea61fcaf121bcb5b3f75f33","arguments":{}}','{"v":1,"parked":{"on_timeout":"ERROR_AS_RESULT","on_cancel":"CANCEL_EXTERNAL_WORK"},"call":{"v":1,"tool":"tool:approve","fingerprint":"0aebc51d63e935af551a6941b46c364302df743f6ea61fcaf121bcb5b3f75f33","arguments":{}}}',NULL,'0aebc51d63e935af551a6941b46c364302df743f6ea61fcaf121bcb5b3f75f33','IDEMPOTENT',NULL,1,'2026-11-16T08:14:49.453606722Z','2026-11-16T08:14:49.587146232Z');
INSERT INTO effect VALUES(3,'round/1',0,'round','db1d9f89e02cad9c12f3a3aefb1ea29eb9ad3506c09f05a575c9006af585132e','{"input":"in","after":""}','COMPLETED','{}','{"v":1,"asked":{"model":"default","generation":1,"offered":"89ba7089d2b5f9b5f4f272fe8e772f38d3269fc76c51c87c52e778d2dda2354e","request":"7d89c5136f311de42104a66b44addfc8ba3b09e96e9e051ed0deecd97bc20c6e"},"reply":{"message":{"assistant":[{"call":"c-ship","name":"ship","arguments":"{}"}]},"finish":"tool_calls","usage":{"input":7,"output":3},"model":"function"}}',NULL,NULL,'READ',NULL,1,'2026-11-16T08:14:49.458695046Z','2026-11-16T08:14:49.458695046Z');
INSERT INTO effect VALUES(3,'round/1/call/0/attempt/1',0,'attempt','062e9cc021a2e05f4484cc6bb093d255733e44962089d92eaeadc87a06c26a32','{"incarnation":"5d6c9653cf8fcbaf1124fbe39fc14b92","turn":1,"round":1,"position":0,"name":"ship","arguments":"{}"}','COMPLETED','{"v":1,"tool":"tool:ship","fingerprint":"981a81be10b00c5dd17de51ab1be58e1011cab1775e021e48aacdf51639d9b7d","arguments":{}}','{"v":1,"entered":{},"call":{"v":1,"tool":"tool:ship","fingerprint":"981a81be10b00c5dd17de51ab1be58e1011cab1775e021e48aacdf51639d9b7d","arguments":{}}}',NULL,'981a81be10b00c5dd17de51ab1be58e1011cab1775e021e48aacdf51639d9b7d','READ',NULL,1,'2026-11-16T08:14:49.490585401Z','2026-11-16T08:14:49.490585401Z');
INSERT INTO effect VALUES(3,'round/1/call/0/step/1/label',1,'step','e994c0a97ffb802c5f1945da415205e1e27f6e88849f70e2ce86bec50415aafa','{"step":"label","input":"order"}','COMPLETED','"order"','"L1"',NULL,NULL,'IDEMPOTENT',NULL,1,'2026-11-16T08:14:49.708800282Z','2026-11-16T08:14:49.708800282Z');
INSERT INTO effect VALUES(4,'round/1',0,'round','db1d9f89e02cad9c12f3a3aefb1ea29eb9ad3506c09f05a575c9006af585132e','{"input":"in","after":""}','COMPLETED','{}','{"v":1,"asked":{"model":"default","generation":1,"offered":"89ba7089d2b5f9b5f4f272fe8e772f38d3269fc76c51c87c52e778d2dda2354e","request":"11c87d979c10b159cacd7a81f0b3feaa5b2dc50bb857ff5ad2bfc535b077db0c"},"reply":{"message":{"assistant":[{"call":"c-delegate","name":"delegate","arguments":"{}"}]},"finish":"tool_calls","usage":{"input":7,"output":3},"model":"function"}}',NULL,NULL,'READ',NULL,1,'2026-11-16T08:14:49.481899994Z','2026-11-16T08:14:49.481899994Z');
INSERT INTO effect VALUES(4,'round/1/call/0/attempt/1',0,'attempt','5158aa198991eaddc34ee274f76dec3e1c986bc73d3b9a03ba86755cb371a786','{"incarnation":"488227aa0a1be481d0472f7508e0b11d","turn":1,"round":1,"position":0,"name":"delegate","arguments":"{}"}','COMPLETED','{"v":1,"tool":"tool:delegate","fingerprint":"2c2b36cbee74c2dc334649e2a3583e967e04499d5a29842420ccb43f1dfce453","arguments":{}}','{"v":1,"entered":{},"call":{"v":1,"tool":"tool:delegate","fingerprint":"2c2b36cbee74c2dc334649e2a3583e967e04499d5a29842420ccb43f1dfce453","arguments":{}}}',NULL,'2c2b36cbee74c2dc334649e2a3583e967e04499d5a29842420ccb43f1dfce453','READ',NULL,1,'2026-11-16T08:14:49.520176460Z','2026-11-16T08:14:49.520176460Z');
INSERT INTO effect VALUES(5,'round/1',0,'round','db1d9f89e02cad9c12f3a3aefb1ea29eb9ad3506c09f05a575c9006af585132e','{"input":"in","after":""}','COMPLETED','{}','{"v":1,"asked":{"model":"default","generation":1,"offered":"89ba7089d2b5f9b5f4f272fe8e772f38d3269fc76c51c87c52e778d2dda2354e","request":"082d7af518d891d9b71d9a74ba8c27039414c46e48ac434c6729b1b7b447e25a"},"reply":{"message":{"assistant":[{"call":"c-look","name":"look","arguments":"{}"}]},"finish":"tool_calls","usage":{"input":7,"output":3},"model":"function"}}',NULL,NULL,'READ',NULL,1,'2026-11-16T08:14:49.615562197Z','2026-11-16T08:14:49.615562197Z');
INSERT INTO effect VALUES(5,'round/1/call/0/attempt/1',0,'attempt','d7d281c11dc680b39d05147bbd967bce40e8617ab6ea8c08d13852ec12af7857','{"incarnation":"552d4a86af4ef010849acba1599f32a9","turn":1,"round":1,"position":0,"name":"look","arguments":"{}"}','COMPLETED','{"v":1,"tool":"tool:look","fingerprint":"39467e351a8c0b6328947a47ef9dd63971f86334d956e36b3835703d4771876b","arguments":{}}','{"v":1,"ended":{"ok":"seen"}}',NULL,'39467e351a8c0b6328947a47ef9dd63971f86334d956e36b3835703d4771876b','READ',NULL,1,'2026-11-16T08:14:49.713361671Z','2026-11-16T08:14:49.713361671Z');
INSERT INTO effect VALUES(5,'round/2',1,'round','096970143c7901cbe811a75c92b7a82aa934693952f8a077200137ff4116b88e','{"input":"in","after":"5d3e47b05192c0ecc689d587eb3154a386dbf10477452260afc84b352f15bebc"}','STARTED','{}',NULL,NULL,NULL,'READ',NULL,1,'2026-11-16T08:14:50.947308966Z','2026-11-16T08:14:50.947308966Z');
INSERT INTO effect VALUES(6,'round/1',0,'round','db1d9f89e02cad9c12f3a3aefb1ea29eb9ad3506c09f05a575c9006af585132e','{"input":"in","after":""}','COMPLETED','{}','{"v":1,"asked":{"model":"default","generation":0,"offered":"6ada6d4831ead1d230971bbe4ac2dda7236ceceebf794efb60a59c887b9bf07f","request":"8cec0f310e661f7e26128a8898a976f4ea55bddc117aac81c9bcfb50a897e5b0"},"reply":{"message":{"assistant":[{"call":"a","name":"look","arguments":"{\"at\":\"sky\"}"},{"call":"b","name":"pay","arguments":"{\"amount\":5}"},{"call":"c","name":"ask","arguments":"{\"question\":\"ok?\"}"}]},"finish":"tool_calls","usage":{"input":7,"output":3},"model":"function"}}',NULL,NULL,'READ',NULL,1,'2026-11-16T08:14:49.592958383Z','2026-11-16T08:14:49.592958383Z');
INSERT INTO effect VALUES(6,'round/1/call/0/attempt/1',0,'attempt','14958c454882e0361541d00d6010bd57a7a5239ebf220f91e826a9d4f146d7ee','{"incarnation":"8dbb99e2bfc38ca13f6f626ab95d9865","turn":1,"round":1,"position":0,"name":"look","arguments":"{\"at\":\"sky\"}"}','COMPLETED','{"v":1,"tool":"tool:look","fingerprint":"829fb7458f07de17c60fc2b3d53153048a1393f0db792d22078b3514333354fd","arguments":{"at":"sky"}}','{"v":1,"ended":{"ok":"saw sky"}}',NULL,'829fb7458f07de17c60fc2b3d53153048a1393f0db792d22078b3514333354fd','READ',NULL,1,'2026-11-16T08:14:49.653606236Z','2026-11-16T08:14:49.653606236Z');
INSERT INTO effect VALUES(6,'round/1/call/1/attempt/1',0,'attempt','555cd9dba242a640ad52c70cda4a909fe5b4b0e3af8355b0eac1c989aa9a3372','{"incarnation":"8dbb99e2bfc38ca13f6f626ab95d9865","turn":1,"round":1,"position":1,"name":"pay","arguments":"{\"amount\":5}"}','COMPLETED','{"v":1,"tool":"tool:pay","fingerprint":"a6ad092630d7cceee8a85414aacbcc687dc3317374b6c14bec55ab1987abe30a","arguments":{"amount":5}}','{"v":1,"ended":{"ok":"paid 5"}}',NULL,'a6ad092630d7cceee8a85414aacbcc687dc3317374b6c14bec55ab1987abe30a','ONCE',NULL,1,'2026-11-16T08:14:49.715404842Z','2026-11-16T08:14:49.723539770Z');
INSERT INTO effect VALUES(6,'round/1/call/2/attempt/1',0,'attempt','ef4a92005e4ecd00f7e7ba0746844a449a3d101aebbb41e46e2ca62801dc0035','{"incarnation":"8dbb99e2bfc38ca13f6f626ab95d9865","turn":1,"round":1,"position":2,"name":"ask","arguments":"{\"question\":\"ok?\"}"}','COMPLETED','{"v":1,"tool":"tool:ask","fingerprint":"33a4bc2f9b50f2f814d7cad1de860a9db06c667b79b8452992f4f0310aafe7a2","arguments":{"question":"ok?"}}','{"v":1,"parked":{"on_timeout":"ERROR_AS_RESULT","on_cancel":"CANCEL_EXTERNAL_WORK"},"call":{"v":1,"tool":"tool:ask","fingerprint":"33a4bc2f9b50f2f814d7cad1de860a9db06c667b79b8452992f4f0310aafe7a2","arguments":{"question":"ok?"}}}',NULL,'33a4bc2f9b50f2f814d7cad1de860a9db06c667b79b8452992f4f0310aafe7a2','IDEMPOTENT',NULL,1,'2026-11-16T08:14:49.726587797Z','2026-11-16T08:14:49.728592210Z');
INSERT INTO effect VALUES(7,'round/1',0,'round','df5f3175ede02f5a1cbbfb320f27a416a2917ed16766498e949e51d5195ad091','{"input":"t","after":""}','COMPLETED','{}','{"v":1,"asked":{"model":"default","generation":1,"offered":"89ba7089d2b5f9b5f4f272fe8e772f38d3269fc76c51c87c52e778d2dda2354e","request":"d318c15b1be6c205ae5a76c7a5800a6b4c604d2fe65700c163fabd4719317779"},"reply":{"message":{"assistant":[{"call":"c-approve","name":"approve","arguments":"{}"}]},"finish":"tool_calls","usage":{"input":7,"output":3},"model":"function"}}',NULL,NULL,'READ',NULL,1,'2026-11-16T08:14:49.714739602Z','2026-11-16T08:14:49.714739602Z');
INSERT INTO effect VALUES(7,'round/1/call/0/attempt/1',0,'attempt','9624dd4d2cab6b55e2fd2fbd7229cc9e36b4694f59517468ee7a931208124628','{"incarnation":"b4ab13847a76987f46790da57e1292e1","turn":1,"round":1,"position":0,"name":"approve","arguments":"{}"}','COMPLETED','{"v":1,"tool":"tool:approve","fingerprint":"0aebc51d63e935af551a6941b46c364302df743f6ea61fcaf121bcb5b3f75f33","arguments":{}}','{"v":1,"parked":{"on_timeout":"ERROR_AS_RESULT","on_cancel":"CANCEL_EXTERNAL_WORK"},"call":{"v":1,"tool":"tool:approve","fingerprint":"0aebc51d63e935af551a6941b46c364302df743f6ea61fcaf121bcb5b3f75f33","arguments":{}}}',NULL,'0aebc51d63e935af551a6941b46c364302df743f6ea61fcaf121bcb5b3f75f33','IDEMPOTENT',NULL,1,'2026-11-16T08:14:49.722603477Z','2026-11-16T08:14:49.724653308Z');
INSERT INTO effect VALUES(8,'call/0/attempt/1',0,'attempt','50207dfec8cd73b395572e54de42649a92ff07dd596d04a53704f62b04a45cbc','{"incarnation":"e8a209eaac7a0f01e2e4bb0b5bb82309","turn":0,"round":0,"position":0,"name":"report","arguments":"{}"}','COMPLETED','{"v":1,"tool":"process:report","fingerprint":"e1e144e81d049a51d7fd26da18e9245bcd2a611099a9e759be28ad14dd6c5b5a","arguments":{}}','{"v":1,"entered":{},"call":{"v":1,"tool":"process:report","fingerprint":"e1e144e81d049a51d7fd26da18e9245bcd2a611099a9e759be28ad14dd6c5b5a","arguments":{}}}',NULL,'e1e144e81d049a51d7fd26da18e9245bcd2a611099a9e759be28ad14dd6c5b5a','READ',NULL,1,'2026-11-16T08:14:49.886076810Z','2026-11-16T08:14:49.886076810Z');
INSERT INTO effect VALUES(8,'call/0/step/1/page',1,'step','810e588c6c3c45172d724a2673e1362633038b88d7bcbc9c997c538f968b09de','{"step":"page","input":"monthly"}','COMPLETED','"monthly"','"page 1"',NULL,NULL,'ONCE',NULL,1,'2026-11-16T08:14:49.904827689Z','2026-11-16T08:14:49.911622192Z');
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
INSERT INTO wait VALUES(2,'round/1/call/2/completion','COMPLETION',1,NULL,NULL,NULL,NULL);
INSERT INTO wait VALUES(3,'round/1/call/0/event/picked','EVENT',1,NULL,NULL,NULL,NULL);
INSERT INTO wait VALUES(4,'round/1/call/0/event/child-19a825b2377a23a38caf45aa5d284465-30ca1c8a7db5b3b5/t','EVENT',1,NULL,NULL,NULL,NULL);
INSERT INTO wait VALUES(6,'round/1/call/2/completion','COMPLETION',1,NULL,NULL,NULL,NULL);
INSERT INTO wait VALUES(7,'round/1/call/0/completion','COMPLETION',1,NULL,NULL,NULL,NULL);
INSERT INTO wait VALUES(8,'call/0/event/signal/1/go','EVENT',1,NULL,NULL,NULL,NULL);
CREATE TABLE late (
  scope integer not null references scope (n),
  key text not null,
  result text,
  output text references output (hash),
  at text not null,
  primary key (scope, key),
  check ((result is null) <> (output is null))
) strict, without rowid;
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
INSERT INTO session VALUES(1,'order 1',X'288070fc68781b1278d53e43add29ee8',1,2,4,2,0,'2026-11-16T08:14:48.290806643Z','2026-11-16T08:14:49.400218815Z');
INSERT INTO session VALUES(2,'order 2',X'5d6c9653cf8fcbaf1124fbe39fc14b92',0,1,0,1,0,'2026-11-16T08:14:49.418174285Z','2026-11-16T08:14:49.418174285Z');
INSERT INTO session VALUES(3,'order 3',X'488227aa0a1be481d0472f7508e0b11d',0,1,0,1,0,'2026-11-16T08:14:49.425394732Z','2026-11-16T08:14:49.425394732Z');
INSERT INTO session VALUES(4,'order 4',X'552d4a86af4ef010849acba1599f32a9',0,1,0,1,0,'2026-11-16T08:14:49.459874401Z','2026-11-16T08:14:49.459874401Z');
INSERT INTO session VALUES(5,'order 5',X'8dbb99e2bfc38ca13f6f626ab95d9865',0,1,0,1,0,'2026-11-16T08:14:49.498505139Z','2026-11-16T08:14:49.498505139Z');
INSERT INTO session VALUES(6,'child-19a825b2377a23a38caf45aa5d284465-30ca1c8a7db5b3b5',X'b4ab13847a76987f46790da57e1292e1',0,1,0,1,0,'2026-11-16T08:14:49.594164228Z','2026-11-16T08:14:49.632948745Z');
CREATE TABLE session_past (
  session integer primary key references session (n),
  origin text not null,
  state text not null
) strict;
INSERT INTO session_past VALUES(6,'{"parent":"order 3","depth":1}','null');
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
INSERT INTO turn VALUES(1,1,'first','2026-11-16T08:14:48.290806643Z',1,'03e790d8e9c8df14708c7d899064388221bce8fcf283cab2b8894076cb9c6d4e',NULL,NULL,0,4,'2026-11-16T08:14:49.349571026Z');
INSERT INTO turn VALUES(1,2,'in','2026-11-16T08:14:49.400218815Z',2,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO turn VALUES(2,1,'in','2026-11-16T08:14:49.418174285Z',3,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO turn VALUES(3,1,'in','2026-11-16T08:14:49.425394732Z',4,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO turn VALUES(4,1,'in','2026-11-16T08:14:49.459874401Z',5,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO turn VALUES(5,1,'in','2026-11-16T08:14:49.498505139Z',6,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO turn VALUES(6,1,'t','2026-11-16T08:14:49.632948745Z',7,NULL,NULL,NULL,NULL,NULL,NULL);
CREATE TABLE message (
  session integer not null references session (n),
  place integer not null check (place >= 0),
  turn integer not null check (turn >= 0),
  value text not null,
  primary key (session, place)
) strict, without rowid;
INSERT INTO message VALUES(1,0,1,'{"user":[{"text":"look"}]}');
INSERT INTO message VALUES(1,1,1,'{"assistant":[{"call":"c-look","name":"look","arguments":"{}"}]}');
INSERT INTO message VALUES(1,2,1,'{"replies":[{"call":"c-look","name":"look","status":"ok","text":"seen"}]}');
INSERT INTO message VALUES(1,3,1,'{"assistant":[{"text":"seen"}]}');
CREATE TABLE IF NOT EXISTS "resource" (
  name text not null primary key,
  owner text references owner (id),
  scope integer,
  key text,
  fence integer not null,
  check ((owner is null) = (scope is null) and (owner is null) = (key is null))
) strict, without rowid;
CREATE TABLE process (
  n integer primary key,
  id text not null unique,
  scope integer not null,
  hash text not null,
  started_at text not null,
  ended_at text
) strict;
INSERT INTO process VALUES(1,'report',8,'cf098baefe07f0d2fc119c753dc3963d07b965b442bdabf14b0915256b57acd6','2026-11-16T08:14:49.869314241Z',NULL);
CREATE TABLE process_grant (
  session integer not null references session (n),
  process integer not null references process (n),
  primary key (session, process)
) strict, without rowid;
CREATE TABLE process_event (
  process integer not null references process (n),
  place integer not null check (place >= 1),
  key text not null,
  type text not null,
  payload text not null,
  at text not null,
  primary key (process, place)
) strict, without rowid;
INSERT INTO process_event VALUES(1,1,'step/1/1','written','"page 1"','2026-11-16T08:14:49.926171777Z');
CREATE TABLE process_watcher (
  process integer not null references process (n),
  token text not null,
  primary key (process, token)
) strict, without rowid;
CREATE TABLE IF NOT EXISTS "arrival" (
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
INSERT INTO arrival VALUES(1,'first',1,'INPUT','aa304c9ec7544d0ef7d3dbf37e22da99dd785796b1e8aed9430acb68e69acf5e','{"message":{"user":[{"text":"look"}]},"at":"2026-11-16T08:14:48.236058907Z"}',1,'2026-11-16T08:14:48.290806643Z');
INSERT INTO arrival VALUES(1,'in',2,'INPUT','70d30acf38c9173e53f856c258e7ffc420308b57cfaf8e3cdb59111ddb3d7480','{"message":{"user":[{"text":"look pay approve"}]},"at":"2026-11-16T08:14:49.399897006Z"}',2,'2026-11-16T08:14:49.400218815Z');
INSERT INTO arrival VALUES(2,'in',1,'INPUT','4dd270982ae0d886b1a193e48e6485dfc9f97812613446e45b44d59a701f9ee5','{"message":{"user":[{"text":"ship"}]},"at":"2026-11-16T08:14:49.417883021Z"}',1,'2026-11-16T08:14:49.418174285Z');
INSERT INTO arrival VALUES(3,'in',1,'INPUT','0bd8b9a442401568784295c07add4fde8997c62a05594aaaf0fd07fa71d26a12','{"message":{"user":[{"text":"delegate"}]},"at":"2026-11-16T08:14:49.422069462Z"}',1,'2026-11-16T08:14:49.425394732Z');
INSERT INTO arrival VALUES(4,'in',1,'INPUT','5e8ca7949215c6d5159bc8ea4593eccb52bd56bd4855c1da2331e635a08b769c','{"message":{"user":[{"text":"look cut"}]},"at":"2026-11-16T08:14:49.459634144Z"}',1,'2026-11-16T08:14:49.459874401Z');
INSERT INTO arrival VALUES(5,'in',1,'INPUT','97938c215402cfe2ab2b9e6f898a243355a340e44ad02ad15ec8cfdc4cb451f2','{"message":{"user":[{"text":"desk"}]},"loop":"desk","at":"2026-11-16T08:14:49.496403040Z"}',1,'2026-11-16T08:14:49.498505139Z');
INSERT INTO arrival VALUES(6,'t',1,'INPUT','a05a2ff5f6414037187a930fd4198eda42a6db3a82f5340edbc82b8179a64e97','{"message":{"user":[{"text":"approve"}]},"notify":"b1.AAAAAAAAAAFrUO_1uhA1cLtRXwHcYE7TAAAAJ3R1cm4vNDg4MjI3YWEwYTFiZTQ4MWQwNDcyZjc1MDhlMGIxMWQvMXJvdW5kLzEvY2FsbC8wL2V2ZW50L2NoaWxkLTE5YTgyNWIyMzc3YTIzYTM4Y2FmNDVhYTVkMjg0NDY1LTMwY2ExYzhhN2RiNWIzYjUvdA.twwDm18jW9RXkuqhyaqbMt16qxsrZSMmtW38MxxtxpU","call":"child-19a825b2377a23a38caf45aa5d284465","at":"2026-11-16T08:14:49.632525335Z"}',1,'2026-11-16T08:14:49.632948745Z');
CREATE TABLE attachment (
  keeper text not null,
  hash text not null references output (hash),
  media_type text not null,
  since text not null,
  primary key (keeper, hash, media_type)
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
