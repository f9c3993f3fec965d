/**
 * What all state machines are made with.
 */
export { type Edges, IllegalTransition, make } from "./Machine.ts"
