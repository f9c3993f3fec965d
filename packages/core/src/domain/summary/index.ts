/** The summary of a transcript: its state machine, and the types that a client can request. */
export { Event, edges, isTerminal, State, transition } from "./Summary.ts"
export { SummaryType } from "./SummaryType.ts"
