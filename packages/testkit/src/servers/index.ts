/**
 * Real servers for tests: Postgres, a way to it that fails, hosts of media, programs of one's own.
 */

export { type ChildProgram, start } from "./ChildProgram.ts"
export * as LocalMediaHosts from "./LocalMediaHosts.ts"
export { Proxy } from "./PostgresProxy.ts"
export { launch, type PostgresServer } from "./PostgresServer.ts"
