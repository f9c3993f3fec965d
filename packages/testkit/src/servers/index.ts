/**
 * Servers for tests (Postgres, a failing proxy, a bucket, media hosts and webhook receivers), and
 * memory measurements for child processes.
 */

export { account, BucketServer } from "./BucketServer.ts"
export { bytesInUse, bytesInUseBy, memoryReportArgument } from "./ChildMemory.ts"
export { type ChildProgram, start } from "./ChildProgram.ts"
export { findFreePort, listen } from "./FreePort.ts"
export { LocalMediaHosts, LocalReceivers } from "./LocalServers.ts"
export { memoryFolder } from "./MemoryFolder.ts"
export { cutter, headLength, type Message, Proxy } from "./PostgresProxy.ts"
export { launch, type PostgresServer } from "./PostgresServer.ts"
