/** Servers for tests: Postgres, a proxy that fails, a bucket, hosts of media; what they hold. */

export { account, BucketServer } from "./BucketServer.ts"
export { bytesInUseBy, tellingMemory } from "./ChildMemory.ts"
export { type ChildProgram, start } from "./ChildProgram.ts"
export { findFreePort } from "./FreePort.ts"
export * as LocalMediaHosts from "./LocalMediaHosts.ts"
export { listen } from "./Loopback.ts"
export { memoryFolder } from "./MemoryFolder.ts"
export { bytesInUse } from "./MemoryInUse.ts"
export { Pooler, type PoolMode } from "./PostgresPooler.ts"
export { Proxy } from "./PostgresProxy.ts"
export { launch, type PostgresServer } from "./PostgresServer.ts"
