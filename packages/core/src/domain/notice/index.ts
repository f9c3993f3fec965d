/**
 * The notices that a host gets of a job: their machine, the hooks that are called, and which of
 * them are wanted.
 */
export * from "./Hook.ts"
export * from "./Notice.ts"
export * from "./NoticeWanted.ts"
