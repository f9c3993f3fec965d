/** Loads what opens Verbatim when it is opened: a program that only imports it stays light. */
import type { Options } from "./Options.ts"
import type { Verbatim } from "./Verbatim.ts"

/**
 * Opens the stores, brings them to the current schema, and begins to work unless the roles say
 * otherwise. Rejects with `InvalidOptions`, or with `DatabaseUnavailable`, which says why.
 */
export const open = async (options: Options): Promise<Verbatim> => {
  // Before the first schema is made: 9 % less of a created preset, 10 % of a resolved one.
  if (options?.compiledSchemas !== false) await import("effect/schema/SchemaJITCompiler/enable")
  return (await import("./open/open.ts")).open(options)
}
