/**
 * The summary of a transcript: its machine, and the types a client may ask for.
 */
export { Event, edges, isTerminal, State, transition } from "./Summary.ts"
export { SummaryType } from "./SummaryType.ts"
