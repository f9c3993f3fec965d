/** A fault put into the code, as one replaced text. */

/** A fault in the code. */
export interface Mutant {
  readonly fault: string
  readonly file: string
  /** It occurs once in the file. */
  readonly text: string
  readonly instead: string
  /** The tests to ask instead of the simulation and the suites: those of an adapter. */
  readonly tests?: ReadonlyArray<string>
}

/** A file of core. */
export const core = (path: string): string => `packages/core/src/${path}`

/** A file of the memory adapter. */
export const memory = (path: string): string => `packages/adapters/src/memory/${path}`
