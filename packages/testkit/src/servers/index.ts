/**
 * Servers for tests (Postgres, a failing proxy, a bucket, media hosts and webhook receivers), and
 * memory measurements for child processes.
 */

export { account, BucketServer } from "./BucketServer.ts"
export {
  bytesInUse,
  bytesInUseBy,
  type ChildProgram,
  memoryReportArgument,
  start
} from "./ChildProgram.ts"
export { findFreePort, LocalMediaHosts, LocalReceivers, listen } from "./LocalServers.ts"
export { memoryFolder } from "./MemoryFolder.ts"
export { cutter, headLength, type Message, Proxy } from "./PostgresProxy.ts"
export { launch, type PostgresServer } from "./PostgresServer.ts"
