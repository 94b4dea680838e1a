-- Work under way as format 3 wrote it. Never edit: every later version must finish it.
PRAGMA user_version=3;
PRAGMA application_id=1112293753;
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE "arrival" (
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
INSERT INTO "arrival" VALUES(1,'first',1,'INPUT','aa304c9ec7544d0ef7d3dbf37e22da99dd785796b1e8aed9430acb68e69acf5e','{"message":{"user":[{"text":"look"}]},"at":"2026-11-15T19:01:35.706147290Z"}',1,'2026-11-15T19:01:35.711842261Z');
INSERT INTO "arrival" VALUES(1,'in',2,'INPUT','70d30acf38c9173e53f856c258e7ffc420308b57cfaf8e3cdb59111ddb3d7480','{"message":{"user":[{"text":"look pay approve"}]},"at":"2026-11-15T19:01:36.014089435Z"}',2,'2026-11-15T19:01:36.014399695Z');
INSERT INTO "arrival" VALUES(2,'in',1,'INPUT','4dd270982ae0d886b1a193e48e6485dfc9f97812613446e45b44d59a701f9ee5','{"message":{"user":[{"text":"ship"}]},"at":"2026-11-15T19:01:36.021023655Z"}',1,'2026-11-15T19:01:36.021461705Z');
INSERT INTO "arrival" VALUES(3,'in',1,'INPUT','0bd8b9a442401568784295c07add4fde8997c62a05594aaaf0fd07fa71d26a12','{"message":{"user":[{"text":"delegate"}]},"at":"2026-11-15T19:01:36.029102623Z"}',1,'2026-11-15T19:01:36.029399173Z');
INSERT INTO "arrival" VALUES(4,'in',1,'INPUT','5e8ca7949215c6d5159bc8ea4593eccb52bd56bd4855c1da2331e635a08b769c','{"message":{"user":[{"text":"look cut"}]},"at":"2026-11-15T19:01:36.036313083Z"}',1,'2026-11-15T19:01:36.038722398Z');
INSERT INTO "arrival" VALUES(5,'in',1,'INPUT','97938c215402cfe2ab2b9e6f898a243355a340e44ad02ad15ec8cfdc4cb451f2','{"message":{"user":[{"text":"desk"}]},"loop":"desk","at":"2026-11-15T19:01:36.074717152Z"}',1,'2026-11-15T19:01:36.076457003Z');
INSERT INTO "arrival" VALUES(6,'t',1,'INPUT','a05a2ff5f6414037187a930fd4198eda42a6db3a82f5340edbc82b8179a64e97','{"message":{"user":[{"text":"approve"}]},"notify":"b1.AAAAAAAAAAGsTWs8DBlWWBoqEtS6FcTfAAAAJ3R1cm4vMzU0YzM5MjE5MWIxMjAwZGM0ZTIwMDhiMTEzZWYwNWYvMXJvdW5kLzEvY2FsbC8wL2V2ZW50L2NoaWxkLTI2ODZlN2ZlYzZiNTc3MWZkN2NmNzNmYmQ2YWE5MWUzL3Q.mzrhOhoUrcBbbWKR19wYopViLXvMmH_YIkC31L-vQ-s","at":"2026-11-15T19:01:36.145003431Z"}',1,'2026-11-15T19:01:36.146832795Z');
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
INSERT INTO "effect" VALUES(1,'round/1',0,'round','7525aa2f628f329065a1f2d3a23d0f9e62f8787d8ab9804e598204efe66e9556','{"input":"first","after":""}','COMPLETED','{}','{"v":1,"asked":{"model":"default","generation":1,"offered":"89ba7089d2b5f9b5f4f272fe8e772f38d3269fc76c51c87c52e778d2dda2354e","request":"8cf932256db97acc2375cd345e5ef33b9778ca2b996a004514fb54d0663f0db7"},"reply":{"message":{"assistant":[{"call":"c-look","name":"look","arguments":"{}"}]},"finish":"tool_calls","usage":{"input":7,"output":3},"model":"function"}}',NULL,NULL,'READ',NULL,1,'2026-11-15T19:01:35.812095112Z','2026-11-15T19:01:35.812095112Z');
INSERT INTO "effect" VALUES(1,'round/1/call/0/attempt/1',0,'attempt','25549098465338b62cd12fd17f94b91e868e8fa358ba6ecf9b06a3745f16845f','{"incarnation":"3cdbf805317cd5635b4b19411aacb481","turn":1,"round":1,"position":0,"name":"look","arguments":"{}"}','COMPLETED','{"v":1,"tool":"tool:look","fingerprint":"39467e351a8c0b6328947a47ef9dd63971f86334d956e36b3835703d4771876b","arguments":{}}','{"v":1,"ended":{"ok":"seen"}}',NULL,'39467e351a8c0b6328947a47ef9dd63971f86334d956e36b3835703d4771876b','READ',NULL,1,'2026-11-15T19:01:35.953922653Z','2026-11-15T19:01:35.953922653Z');
INSERT INTO "effect" VALUES(1,'round/2',1,'round','64bc27f23045047ac06eef54a3fbfe8e9cd70c72ba409eac2cb70bec913c35c5','{"input":"first","after":"97f27e9f366248f06be1996a9cd2fc059411aef065b4a2342f880b88ebeba2fd"}','COMPLETED','{}','{"v":1,"asked":{"model":"default","generation":1,"offered":"89ba7089d2b5f9b5f4f272fe8e772f38d3269fc76c51c87c52e778d2dda2354e","request":"3297a1dfd2744a2a6c9d3da7ea473c86911822a05765e2b7e0f84dca0419772e"},"reply":{"message":{"assistant":[{"text":"seen"}]},"finish":"stop","usage":{"input":10,"output":5},"model":"function"},"end":{"finished":"seen"}}',NULL,NULL,'READ',NULL,1,'2026-11-15T19:01:35.983563407Z','2026-11-15T19:01:35.983563407Z');
INSERT INTO "effect" VALUES(2,'round/1',0,'round','db1d9f89e02cad9c12f3a3aefb1ea29eb9ad3506c09f05a575c9006af585132e','{"input":"in","after":""}','COMPLETED','{}','{"v":1,"asked":{"model":"default","generation":1,"offered":"89ba7089d2b5f9b5f4f272fe8e772f38d3269fc76c51c87c52e778d2dda2354e","request":"5c66e8bafa30839e18ca3740effbb2036bf2efef7bac949c8b1656c6c5b3525f"},"reply":{"message":{"assistant":[{"call":"c-look","name":"look","arguments":"{}"},{"call":"c-pay","name":"pay","arguments":"{}"},{"call":"c-approve","name":"approve","arguments":"{}"}]},"finish":"tool_calls","usage":{"input":7,"output":3},"model":"function"}}',NULL,NULL,'READ',NULL,1,'2026-11-15T19:01:36.024077947Z','2026-11-15T19:01:36.024077947Z');
INSERT INTO "effect" VALUES(2,'round/1/call/0/attempt/1',0,'attempt','a30d650fb6d892734f5aa27626a22239a777b77adef4975bbc1dc639d38e7097','{"incarnation":"3cdbf805317cd5635b4b19411aacb481","turn":2,"round":1,"position":0,"name":"look","arguments":"{}"}','COMPLETED','{"v":1,"tool":"tool:look","fingerprint":"39467e351a8c0b6328947a47ef9dd63971f86334d956e36b3835703d4771876b","arguments":{}}','{"v":1,"ended":{"ok":"seen"}}',NULL,'39467e351a8c0b6328947a47ef9dd63971f86334d956e36b3835703d4771876b','READ',NULL,1,'2026-11-15T19:01:36.040656338Z','2026-11-15T19:01:36.040656338Z');
INSERT INTO "effect" VALUES(2,'round/1/call/1/attempt/1',0,'attempt','4f1c80f5cca2b43f080dade01e35f553a3af9fed2ef8933e1bf8b6f87406b4e6','{"incarnation":"3cdbf805317cd5635b4b19411aacb481","turn":2,"round":1,"position":1,"name":"pay","arguments":"{}"}','COMPLETED','{"v":1,"tool":"tool:pay","fingerprint":"42cf8bd54cce49140be17dedf08f5de0197f3bcbd0fdb7b543a42878e1d06e35","arguments":{}}','{"v":1,"ended":{"ok":"paid"}}',NULL,'42cf8bd54cce49140be17dedf08f5de0197f3bcbd0fdb7b543a42878e1d06e35','ONCE',NULL,1,'2026-11-15T19:01:36.039903140Z','2026-11-15T19:01:36.074175498Z');
INSERT INTO "effect" VALUES(2,'round/1/call/2/attempt/1',0,'attempt','8cc16600bb10caa7d1795514462fe6248cf7ac5ae133cd78217f0b5b3f3ab909','{"incarnation":"3cdbf805317cd5635b4b19411aacb481","turn":2,"round":1,"position":2,"name":"approve","arguments":"{}"}','COMPLETED','{"v":1,"tool":"tool:approve","fingerprint":"0aebc51d63e935af551a6941b46c364302df743f6ea61fcaf121bcb5b3f75f33","arguments":{}}','{"v":1,"parked":{"on_timeout":"ERROR_AS_RESULT","on_cancel":"CANCEL_EXTERNAL_WORK"},"call":{"v":1,"tool":"tool:approve","fingerprint":"0aebc51d63e935af551a6941b46c364302df743f6ea61fcaf121bcb5b3f75f33","arguments":{}}}',NULL,'0aebc51d63e935af551a6941b46c364302df743f6ea61fcaf121bcb5b3f75f33','IDEMPOTENT',NULL,1,'2026-11-15T19:01:36.041077443Z','2026-11-15T19:01:36.117733654Z');
INSERT INTO "effect" VALUES(3,'round/1',0,'round','db1d9f89e02cad9c12f3a3aefb1ea29eb9ad3506c09f05a575c9006af585132e','{"input":"in","after":""}','COMPLETED','{}','{"v":1,"asked":{"model":"default","generation":1,"offered":"89ba7089d2b5f9b5f4f272fe8e772f38d3269fc76c51c87c52e778d2dda2354e","request":"7d89c5136f311de42104a66b44addfc8ba3b09e96e9e051ed0deecd97bc20c6e"},"reply":{"message":{"assistant":[{"call":"c-ship","name":"ship","arguments":"{}"}]},"finish":"tool_calls","usage":{"input":7,"output":3},"model":"function"}}',NULL,NULL,'READ',NULL,1,'2026-11-15T19:01:36.032655295Z','2026-11-15T19:01:36.032655295Z');
INSERT INTO "effect" VALUES(3,'round/1/call/0/attempt/1',0,'attempt','3788c2b295601031200d85e6a183cf22e5a9fd84824203f6817b380a1f140862','{"incarnation":"c7f60919d324fc841b7946d3e405b245","turn":1,"round":1,"position":0,"name":"ship","arguments":"{}"}','COMPLETED','{"v":1,"tool":"tool:ship","fingerprint":"981a81be10b00c5dd17de51ab1be58e1011cab1775e021e48aacdf51639d9b7d","arguments":{}}','{"v":1,"entered":{},"call":{"v":1,"tool":"tool:ship","fingerprint":"981a81be10b00c5dd17de51ab1be58e1011cab1775e021e48aacdf51639d9b7d","arguments":{}}}',NULL,'981a81be10b00c5dd17de51ab1be58e1011cab1775e021e48aacdf51639d9b7d','READ',NULL,1,'2026-11-15T19:01:36.044262940Z','2026-11-15T19:01:36.044262940Z');
INSERT INTO "effect" VALUES(3,'round/1/call/0/step/1/label',1,'step','e994c0a97ffb802c5f1945da415205e1e27f6e88849f70e2ce86bec50415aafa','{"step":"label","input":"order"}','COMPLETED','"order"','"L1"',NULL,NULL,'IDEMPOTENT',NULL,1,'2026-11-15T19:01:36.108326605Z','2026-11-15T19:01:36.108326605Z');
INSERT INTO "effect" VALUES(4,'round/1',0,'round','db1d9f89e02cad9c12f3a3aefb1ea29eb9ad3506c09f05a575c9006af585132e','{"input":"in","after":""}','COMPLETED','{}','{"v":1,"asked":{"model":"default","generation":1,"offered":"89ba7089d2b5f9b5f4f272fe8e772f38d3269fc76c51c87c52e778d2dda2354e","request":"11c87d979c10b159cacd7a81f0b3feaa5b2dc50bb857ff5ad2bfc535b077db0c"},"reply":{"message":{"assistant":[{"call":"c-delegate","name":"delegate","arguments":"{}"}]},"finish":"tool_calls","usage":{"input":7,"output":3},"model":"function"}}',NULL,NULL,'READ',NULL,1,'2026-11-15T19:01:36.041488954Z','2026-11-15T19:01:36.041488954Z');
INSERT INTO "effect" VALUES(4,'round/1/call/0/attempt/1',0,'attempt','823280e6ee450520c9eed148365fb2006a10d1590b41943a86e9351c155992fc','{"incarnation":"354c392191b1200dc4e2008b113ef05f","turn":1,"round":1,"position":0,"name":"delegate","arguments":"{}"}','COMPLETED','{"v":1,"tool":"tool:delegate","fingerprint":"2c2b36cbee74c2dc334649e2a3583e967e04499d5a29842420ccb43f1dfce453","arguments":{}}','{"v":1,"entered":{},"call":{"v":1,"tool":"tool:delegate","fingerprint":"2c2b36cbee74c2dc334649e2a3583e967e04499d5a29842420ccb43f1dfce453","arguments":{}}}',NULL,'2c2b36cbee74c2dc334649e2a3583e967e04499d5a29842420ccb43f1dfce453','READ',NULL,1,'2026-11-15T19:01:36.085168110Z','2026-11-15T19:01:36.085168110Z');
INSERT INTO "effect" VALUES(5,'round/1',0,'round','db1d9f89e02cad9c12f3a3aefb1ea29eb9ad3506c09f05a575c9006af585132e','{"input":"in","after":""}','COMPLETED','{}','{"v":1,"asked":{"model":"default","generation":1,"offered":"89ba7089d2b5f9b5f4f272fe8e772f38d3269fc76c51c87c52e778d2dda2354e","request":"082d7af518d891d9b71d9a74ba8c27039414c46e48ac434c6729b1b7b447e25a"},"reply":{"message":{"assistant":[{"call":"c-look","name":"look","arguments":"{}"}]},"finish":"tool_calls","usage":{"input":7,"output":3},"model":"function"}}',NULL,NULL,'READ',NULL,1,'2026-11-15T19:01:36.081931006Z','2026-11-15T19:01:36.081931006Z');
INSERT INTO "effect" VALUES(5,'round/1/call/0/attempt/1',0,'attempt','e30748f62aee4c5f6206ee8bb1865cac46ac161a23bb7c002c9d709d44b3eaaf','{"incarnation":"462f90459ee23c60235959695498024a","turn":1,"round":1,"position":0,"name":"look","arguments":"{}"}','COMPLETED','{"v":1,"tool":"tool:look","fingerprint":"39467e351a8c0b6328947a47ef9dd63971f86334d956e36b3835703d4771876b","arguments":{}}','{"v":1,"ended":{"ok":"seen"}}',NULL,'39467e351a8c0b6328947a47ef9dd63971f86334d956e36b3835703d4771876b','READ',NULL,1,'2026-11-15T19:01:36.121857304Z','2026-11-15T19:01:36.121857304Z');
INSERT INTO "effect" VALUES(5,'round/2',1,'round','096970143c7901cbe811a75c92b7a82aa934693952f8a077200137ff4116b88e','{"input":"in","after":"5d3e47b05192c0ecc689d587eb3154a386dbf10477452260afc84b352f15bebc"}','STARTED','{}',NULL,NULL,NULL,'READ',NULL,1,'2026-11-15T19:01:37.391000597Z','2026-11-15T19:01:37.391000597Z');
INSERT INTO "effect" VALUES(6,'round/1',0,'round','db1d9f89e02cad9c12f3a3aefb1ea29eb9ad3506c09f05a575c9006af585132e','{"input":"in","after":""}','COMPLETED','{}','{"v":1,"asked":{"model":"default","generation":0,"offered":"6ada6d4831ead1d230971bbe4ac2dda7236ceceebf794efb60a59c887b9bf07f","request":"8cec0f310e661f7e26128a8898a976f4ea55bddc117aac81c9bcfb50a897e5b0"},"reply":{"message":{"assistant":[{"call":"a","name":"look","arguments":"{\"at\":\"sky\"}"},{"call":"b","name":"pay","arguments":"{\"amount\":5}"},{"call":"c","name":"ask","arguments":"{\"question\":\"ok?\"}"}]},"finish":"tool_calls","usage":{"input":7,"output":3},"model":"function"}}',NULL,NULL,'READ',NULL,1,'2026-11-15T19:01:36.170074499Z','2026-11-15T19:01:36.170074499Z');
INSERT INTO "effect" VALUES(6,'round/1/call/0/attempt/1',0,'attempt','23120afad0602cd172c768a6e480f40506bc0e85ab4b0cce35396277dd59c036','{"incarnation":"f0be3011d4d6783b4bc2542a2f0dded7","turn":1,"round":1,"position":0,"name":"look","arguments":"{\"at\":\"sky\"}"}','COMPLETED','{"v":1,"tool":"tool:look","fingerprint":"829fb7458f07de17c60fc2b3d53153048a1393f0db792d22078b3514333354fd","arguments":{"at":"sky"}}','{"v":1,"ended":{"ok":"saw sky"}}',NULL,'829fb7458f07de17c60fc2b3d53153048a1393f0db792d22078b3514333354fd','READ',NULL,1,'2026-11-15T19:01:36.204784240Z','2026-11-15T19:01:36.204784240Z');
INSERT INTO "effect" VALUES(6,'round/1/call/1/attempt/1',0,'attempt','afe74e5c5d9b3cd99ed5fb1f1a80f0c6892a99d1583aa6c02f169214fe8a9ede','{"incarnation":"f0be3011d4d6783b4bc2542a2f0dded7","turn":1,"round":1,"position":1,"name":"pay","arguments":"{\"amount\":5}"}','COMPLETED','{"v":1,"tool":"tool:pay","fingerprint":"a6ad092630d7cceee8a85414aacbcc687dc3317374b6c14bec55ab1987abe30a","arguments":{"amount":5}}','{"v":1,"ended":{"ok":"paid 5"}}',NULL,'a6ad092630d7cceee8a85414aacbcc687dc3317374b6c14bec55ab1987abe30a','ONCE',NULL,1,'2026-11-15T19:01:36.211686793Z','2026-11-15T19:01:36.225638161Z');
INSERT INTO "effect" VALUES(6,'round/1/call/2/attempt/1',0,'attempt','acf18ef3aa215f46ae1313b980e780e9db2afc55064fedde66835864f61b4e45','{"incarnation":"f0be3011d4d6783b4bc2542a2f0dded7","turn":1,"round":1,"position":2,"name":"ask","arguments":"{\"question\":\"ok?\"}"}','COMPLETED','{"v":1,"tool":"tool:ask","fingerprint":"33a4bc2f9b50f2f814d7cad1de860a9db06c667b79b8452992f4f0310aafe7a2","arguments":{"question":"ok?"}}','{"v":1,"parked":{"on_timeout":"ERROR_AS_RESULT","on_cancel":"CANCEL_EXTERNAL_WORK"},"call":{"v":1,"tool":"tool:ask","fingerprint":"33a4bc2f9b50f2f814d7cad1de860a9db06c667b79b8452992f4f0310aafe7a2","arguments":{"question":"ok?"}}}',NULL,'33a4bc2f9b50f2f814d7cad1de860a9db06c667b79b8452992f4f0310aafe7a2','IDEMPOTENT',NULL,1,'2026-11-15T19:01:36.228950917Z','2026-11-15T19:01:36.229999473Z');
INSERT INTO "effect" VALUES(7,'round/1',0,'round','df5f3175ede02f5a1cbbfb320f27a416a2917ed16766498e949e51d5195ad091','{"input":"t","after":""}','COMPLETED','{}','{"v":1,"asked":{"model":"default","generation":1,"offered":"89ba7089d2b5f9b5f4f272fe8e772f38d3269fc76c51c87c52e778d2dda2354e","request":"d318c15b1be6c205ae5a76c7a5800a6b4c604d2fe65700c163fabd4719317779"},"reply":{"message":{"assistant":[{"call":"c-approve","name":"approve","arguments":"{}"}]},"finish":"tool_calls","usage":{"input":7,"output":3},"model":"function"}}',NULL,NULL,'READ',NULL,1,'2026-11-15T19:01:36.167587399Z','2026-11-15T19:01:36.167587399Z');
INSERT INTO "effect" VALUES(7,'round/1/call/0/attempt/1',0,'attempt','ff377facd8bac0eb59a9fabf2dac46d66c609bf5297607e6dc04dbc03e957e59','{"incarnation":"8f37fb5489862984c2b7524e991a30cf","turn":1,"round":1,"position":0,"name":"approve","arguments":"{}"}','COMPLETED','{"v":1,"tool":"tool:approve","fingerprint":"0aebc51d63e935af551a6941b46c364302df743f6ea61fcaf121bcb5b3f75f33","arguments":{}}','{"v":1,"parked":{"on_timeout":"ERROR_AS_RESULT","on_cancel":"CANCEL_EXTERNAL_WORK"},"call":{"v":1,"tool":"tool:approve","fingerprint":"0aebc51d63e935af551a6941b46c364302df743f6ea61fcaf121bcb5b3f75f33","arguments":{}}}',NULL,'0aebc51d63e935af551a6941b46c364302df743f6ea61fcaf121bcb5b3f75f33','IDEMPOTENT',NULL,1,'2026-11-15T19:01:36.171397918Z','2026-11-15T19:01:36.172316927Z');
INSERT INTO "effect" VALUES(8,'call/0/attempt/1',0,'attempt','ca328a4f620dfc514d64371f5a9cc042e2cfeff2157e08557b6a7ff9684c698e','{"incarnation":"54225701814bf20d595e3fb63b0943ec","turn":0,"round":0,"position":0,"name":"report","arguments":"{}"}','COMPLETED','{"v":1,"tool":"process:report","fingerprint":"e1e144e81d049a51d7fd26da18e9245bcd2a611099a9e759be28ad14dd6c5b5a","arguments":{}}','{"v":1,"entered":{},"call":{"v":1,"tool":"process:report","fingerprint":"e1e144e81d049a51d7fd26da18e9245bcd2a611099a9e759be28ad14dd6c5b5a","arguments":{}}}',NULL,'e1e144e81d049a51d7fd26da18e9245bcd2a611099a9e759be28ad14dd6c5b5a','READ',NULL,1,'2026-11-15T19:01:36.357456113Z','2026-11-15T19:01:36.357456113Z');
INSERT INTO "effect" VALUES(8,'call/0/step/1/page',1,'step','810e588c6c3c45172d724a2673e1362633038b88d7bcbc9c997c538f968b09de','{"step":"page","input":"monthly"}','COMPLETED','"monthly"','"page 1"',NULL,NULL,'ONCE',NULL,1,'2026-11-15T19:01:36.367084951Z','2026-11-15T19:01:36.367897116Z');
CREATE TABLE late (
  scope integer not null references scope (n),
  key text not null,
  result text,
  output text references output (hash),
  at text not null,
  primary key (scope, key),
  check ((result is null) <> (output is null))
) strict, without rowid;
CREATE TABLE message (
  session integer not null references session (n),
  place integer not null check (place >= 0),
  turn integer not null check (turn >= 0),
  value text not null,
  primary key (session, place)
) strict, without rowid;
INSERT INTO "message" VALUES(1,0,1,'{"user":[{"text":"look"}]}');
INSERT INTO "message" VALUES(1,1,1,'{"assistant":[{"call":"c-look","name":"look","arguments":"{}"}]}');
INSERT INTO "message" VALUES(1,2,1,'{"replies":[{"call":"c-look","name":"look","status":"ok","text":"seen"}]}');
INSERT INTO "message" VALUES(1,3,1,'{"assistant":[{"text":"seen"}]}');
CREATE TABLE migration (version integer primary key, name text not null, checksum text not null) strict;
INSERT INTO "migration" VALUES(1,'V001__journal.sql','fe5787def36226cd23c29cd36f948825ec7da3d3a337d18e108353f8cdb32481');
INSERT INTO "migration" VALUES(2,'V002__sessions.sql','cc8f541d78bc65776190e5fa4704780f34b212149952cf0dbc3ba5fe05fdb541');
INSERT INTO "migration" VALUES(3,'V003__processes.sql','f23150148449a9535b00dfea3b8e1162198ca12979d0946fdc446e5a3c98ec59');
CREATE TABLE output (
  hash text not null primary key,
  written_at text not null
) strict, without rowid;
CREATE TABLE output_bytes (
  n integer primary key,
  hash text not null unique references output (hash) on delete cascade,
  bytes blob not null
) strict;
CREATE TABLE owner (
  id text not null primary key,
  last_batch integer not null
) strict, without rowid;
INSERT INTO "owner" VALUES('9e6f3cf4aa28feba077556d8db32eae5',36);
CREATE TABLE process (
  n integer primary key,
  id text not null unique,
  scope integer not null,
  hash text not null,
  started_at text not null,
  ended_at text
) strict;
INSERT INTO "process" VALUES(1,'report',8,'cf098baefe07f0d2fc119c753dc3963d07b965b442bdabf14b0915256b57acd6','2026-11-15T19:01:36.262129221Z',NULL);
CREATE TABLE process_event (
  process integer not null references process (n),
  place integer not null check (place >= 1),
  key text not null,
  type text not null,
  payload text not null,
  at text not null,
  primary key (process, place)
) strict, without rowid;
INSERT INTO "process_event" VALUES(1,1,'step/1/1','written','"page 1"','2026-11-15T19:01:36.376395357Z');
CREATE TABLE process_grant (
  session integer not null references session (n),
  process integer not null references process (n),
  primary key (session, process)
) strict, without rowid;
CREATE TABLE process_watcher (
  process integer not null references process (n),
  token text not null,
  primary key (process, token)
) strict, without rowid;
CREATE TABLE "resource" (
  name text not null primary key,
  owner text references owner (id),
  scope integer,
  key text,
  fence integer not null,
  check ((owner is null) = (scope is null) and (owner is null) = (key is null))
) strict, without rowid;
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
INSERT INTO "scope" VALUES(1,'turn/3cdbf805317cd5635b4b19411aacb481/1','31c837d4ea2c3a2e42f8f52d37ac16beffd7566103c45ef0082319d6818044f3','ENDED',NULL,1,0,X'EF763E951BF9E1E8722D1F89C1C87095',1,'2026-11-15T19:01:35.988001863Z',NULL,NULL,NULL,'{"v":1,"session":"order 1","turn":1,"input":"first","end":{"finished":"seen"},"rounds":2,"usage":{"input":17,"output":8}}',NULL,0);
INSERT INTO "scope" VALUES(2,'turn/3cdbf805317cd5635b4b19411aacb481/2','f43e4adb22ecd1ff6189a38daf94b7dc6a92b5c15c86faa2e9ff80495543f8a6','PARKED',NULL,1,0,X'95E7A8435D103BAB163BC58E1364A47E',1,'2026-11-15T19:01:36.143316527Z',NULL,NULL,NULL,NULL,NULL,0);
INSERT INTO "scope" VALUES(3,'turn/c7f60919d324fc841b7946d3e405b245/1','e4c8b78bb5ab1c4ed4a1b97733fdb95b541041fe6690fecda990dc7f157eb319','PARKED',NULL,1,0,X'4346F2C2A7BE0E30C57ABB4BD66DF7F7',1,'2026-11-15T19:01:36.133421704Z',NULL,NULL,NULL,NULL,NULL,0);
INSERT INTO "scope" VALUES(4,'turn/354c392191b1200dc4e2008b113ef05f/1','1ca98b91df8fafc08243f9b69d96b0ef2340e8cb7497764e30a168095cac8fd7','PARKED',NULL,1,0,X'AC4D6B3C0C1956581A2A12D4BA15C4DF',1,'2026-11-15T19:01:36.165636123Z',NULL,NULL,NULL,NULL,NULL,0);
INSERT INTO "scope" VALUES(5,'turn/462f90459ee23c60235959695498024a/1','eadbe51a30008e8541fb3febace67e69f5482d2169c344c73805ed23d27c6d5f','READY',NULL,1,0,X'7C4EA3DE18FED5C082D88398FF5544C5',1,'2026-11-15T19:01:37.396481501Z',NULL,NULL,NULL,NULL,NULL,0);
INSERT INTO "scope" VALUES(6,'turn/f0be3011d4d6783b4bc2542a2f0dded7/1','082139ce65e3de50c5358a4455617b683b679ba209e139891a5a12ce5a0cfda0','PARKED',NULL,1,0,X'12A1BAAD447D909E18EC1AEFE35A80CE',1,'2026-11-15T19:01:36.251022670Z',NULL,NULL,NULL,NULL,NULL,0);
INSERT INTO "scope" VALUES(7,'turn/8f37fb5489862984c2b7524e991a30cf/1','226543f99e11b3b9868b452d876936c9cff4a2013536488da53009575b6f371a','PARKED',NULL,1,0,X'A4A423270030CF1AC0E862A39D3E6FDA',1,'2026-11-15T19:01:36.181773725Z',NULL,NULL,NULL,NULL,NULL,0);
INSERT INTO "scope" VALUES(8,'process/report','05d8715feac7335b01cacb806c7bb86845f0b6836a428317098e8e7a044d7aea','PARKED',NULL,1,0,X'E143ECB0EDE7F152A5DCC5A4C56E17A0',1,'2026-11-15T19:01:36.386818043Z',NULL,NULL,NULL,NULL,NULL,0);
CREATE TABLE scope_input (
  scope integer primary key references scope (n),
  kind text not null,
  value text not null
) strict;
INSERT INTO "scope_input" VALUES(1,'turn/1','{"v":1,"session":"order 1","incarnation":"3cdbf805317cd5635b4b19411aacb481","turn":1,"input":"first","content":{"message":{"user":[{"text":"look"}]},"at":"2026-11-15T19:01:35.706147290Z"}}');
INSERT INTO "scope_input" VALUES(2,'turn/1','{"v":1,"session":"order 1","incarnation":"3cdbf805317cd5635b4b19411aacb481","turn":2,"input":"in","content":{"message":{"user":[{"text":"look pay approve"}]},"at":"2026-11-15T19:01:36.014089435Z"}}');
INSERT INTO "scope_input" VALUES(3,'turn/1','{"v":1,"session":"order 2","incarnation":"c7f60919d324fc841b7946d3e405b245","turn":1,"input":"in","content":{"message":{"user":[{"text":"ship"}]},"at":"2026-11-15T19:01:36.021023655Z"}}');
INSERT INTO "scope_input" VALUES(4,'turn/1','{"v":1,"session":"order 3","incarnation":"354c392191b1200dc4e2008b113ef05f","turn":1,"input":"in","content":{"message":{"user":[{"text":"delegate"}]},"at":"2026-11-15T19:01:36.029102623Z"}}');
INSERT INTO "scope_input" VALUES(5,'turn/1','{"v":1,"session":"order 4","incarnation":"462f90459ee23c60235959695498024a","turn":1,"input":"in","content":{"message":{"user":[{"text":"look cut"}]},"at":"2026-11-15T19:01:36.036313083Z"}}');
INSERT INTO "scope_input" VALUES(6,'open-turn/1/desk','{"v":1,"session":"order 5","incarnation":"f0be3011d4d6783b4bc2542a2f0dded7","turn":1,"input":"in","content":{"message":{"user":[{"text":"desk"}]},"loop":"desk","at":"2026-11-15T19:01:36.074717152Z"}}');
INSERT INTO "scope_input" VALUES(7,'turn/1','{"v":1,"session":"child-2686e7fec6b5771fd7cf73fbd6aa91e3","incarnation":"8f37fb5489862984c2b7524e991a30cf","turn":1,"input":"t","content":{"message":{"user":[{"text":"approve"}]},"notify":"b1.AAAAAAAAAAGsTWs8DBlWWBoqEtS6FcTfAAAAJ3R1cm4vMzU0YzM5MjE5MWIxMjAwZGM0ZTIwMDhiMTEzZWYwNWYvMXJvdW5kLzEvY2FsbC8wL2V2ZW50L2NoaWxkLTI2ODZlN2ZlYzZiNTc3MWZkN2NmNzNmYmQ2YWE5MWUzL3Q.mzrhOhoUrcBbbWKR19wYopViLXvMmH_YIkC31L-vQ-s","at":"2026-11-15T19:01:36.145003431Z"}}');
INSERT INTO "scope_input" VALUES(8,'process/1/report','{"v":1,"process":"report","incarnation":"54225701814bf20d595e3fb63b0943ec","start":{"recovery":"RERUN","work":{"body":"report","input":"monthly"}}}');
CREATE TABLE secret (
  id integer primary key,
  bytes blob
) strict;
INSERT INTO "secret" VALUES(1,X'41DC82E6A73709763EDFFEEA23C2179D8E0EE92E67A25270F09CF653C9CB496B');
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
INSERT INTO "session" VALUES(1,'order 1',X'3CDBF805317CD5635B4B19411AACB481',1,2,4,2,0,'2026-11-15T19:01:35.711842261Z','2026-11-15T19:01:36.014399695Z');
INSERT INTO "session" VALUES(2,'order 2',X'C7F60919D324FC841B7946D3E405B245',0,1,0,1,0,'2026-11-15T19:01:36.021461705Z','2026-11-15T19:01:36.021461705Z');
INSERT INTO "session" VALUES(3,'order 3',X'354C392191B1200DC4E2008B113EF05F',0,1,0,1,0,'2026-11-15T19:01:36.029399173Z','2026-11-15T19:01:36.029399173Z');
INSERT INTO "session" VALUES(4,'order 4',X'462F90459EE23C60235959695498024A',0,1,0,1,0,'2026-11-15T19:01:36.038722398Z','2026-11-15T19:01:36.038722398Z');
INSERT INTO "session" VALUES(5,'order 5',X'F0BE3011D4D6783B4BC2542A2F0DDED7',0,1,0,1,0,'2026-11-15T19:01:36.076457003Z','2026-11-15T19:01:36.076457003Z');
INSERT INTO "session" VALUES(6,'child-2686e7fec6b5771fd7cf73fbd6aa91e3',X'8F37FB5489862984C2B7524E991A30CF',0,1,0,1,0,'2026-11-15T19:01:36.124928952Z','2026-11-15T19:01:36.146832795Z');
CREATE TABLE session_past (
  session integer primary key references session (n),
  origin text not null,
  state text not null
) strict;
INSERT INTO "session_past" VALUES(6,'{"parent":"order 3","depth":1}','null');
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
INSERT INTO "turn" VALUES(1,1,'first','2026-11-15T19:01:35.711842261Z',1,'9cc1ade8ec344f04bcdc44ddfb513b084653b1ed85648530cbab9c188ad3aa37',NULL,NULL,0,4,'2026-11-15T19:01:35.988001863Z');
INSERT INTO "turn" VALUES(1,2,'in','2026-11-15T19:01:36.014399695Z',2,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "turn" VALUES(2,1,'in','2026-11-15T19:01:36.021461705Z',3,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "turn" VALUES(3,1,'in','2026-11-15T19:01:36.029399173Z',4,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "turn" VALUES(4,1,'in','2026-11-15T19:01:36.038722398Z',5,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "turn" VALUES(5,1,'in','2026-11-15T19:01:36.076457003Z',6,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "turn" VALUES(6,1,'t','2026-11-15T19:01:36.146832795Z',7,NULL,NULL,NULL,NULL,NULL,NULL);
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
INSERT INTO "wait" VALUES(2,'round/1/call/2/completion','COMPLETION',1,NULL,NULL,NULL,NULL);
INSERT INTO "wait" VALUES(3,'round/1/call/0/event/picked','EVENT',1,NULL,NULL,NULL,NULL);
INSERT INTO "wait" VALUES(4,'round/1/call/0/event/child-2686e7fec6b5771fd7cf73fbd6aa91e3/t','EVENT',1,NULL,NULL,NULL,NULL);
INSERT INTO "wait" VALUES(6,'round/1/call/2/completion','COMPLETION',1,NULL,NULL,NULL,NULL);
INSERT INTO "wait" VALUES(7,'round/1/call/0/completion','COMPLETION',1,NULL,NULL,NULL,NULL);
INSERT INTO "wait" VALUES(8,'call/0/event/signal/1/go','EVENT',1,NULL,NULL,NULL,NULL);
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
COMMIT;
