/**
 * The notice that a host gets of a job that is over: its machine, and whether it is wanted.
 */
export { Event, edges, isTerminal, NoticeId, State, transition } from "./Notice.ts"
export { NoticeWanted } from "./NoticeWanted.ts"
