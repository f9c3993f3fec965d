/** What all state machines are built from. */
export { type Edges, IllegalTransition, make } from "./Machine.ts"
