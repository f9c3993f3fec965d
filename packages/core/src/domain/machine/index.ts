/** The building blocks of all state machines. */
export { type Edges, IllegalTransition, make } from "./Machine.ts"
