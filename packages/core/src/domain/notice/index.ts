/**
 * The notices that a host gets of a job: their machine, the hooks that are called, and which of
 * them are wanted.
 */
export { Hook, hookOf, type PerHook } from "./Hook.ts"
export { Event, edges, isTerminal, NoticeId, State, transition } from "./Notice.ts"
export { NoticeWanted } from "./NoticeWanted.ts"
