/** The notice that a host gets of the end of a job. */
export { Event, edges, isTerminal, NoticeId, NoticeWanted, State, transition } from "./Notice.ts"
