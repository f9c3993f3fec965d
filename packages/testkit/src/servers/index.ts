/** Real servers for tests: Postgres, a proxy to it that fails, hosts of media, child programs. */

export { type ChildProgram, start } from "./ChildProgram.ts"
export * as LocalMediaHosts from "./LocalMediaHosts.ts"
export { memoryFolder } from "./MemoryFolder.ts"
export { Proxy } from "./PostgresProxy.ts"
export { launch, type PostgresServer } from "./PostgresServer.ts"
