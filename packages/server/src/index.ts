/**
 * The parts of the server, for a program of Effect that wants its settings and its engines. Other
 * programs take `@verbatim/embed`.
 */

export { type Configuration, configuration } from "./Configuration.ts"
export { worker } from "./Engines.ts"
export { foundation } from "./Foundation.ts"
export type { StoresError } from "./Stores.ts"
export { TemplatesError } from "./Templates.ts"
