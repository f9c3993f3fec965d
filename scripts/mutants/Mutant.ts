/** A fault put into the code, as one replaced text. */

/** A fault in the code. */
export interface Mutant {
  readonly fault: string
  readonly file: string
  /** It occurs once in the file. */
  readonly text: string
  readonly instead: string
  /** Tests that are run instead of the simulation, which knows nothing of this file. */
  readonly tests?: ReadonlyArray<string>
}

/** A file of core. */
export const core = (path: string): string => `packages/core/src/${path}`

/** A file that the SQL stores share. */
export const sql = (path: string): string => `packages/adapters/src/sql/${path}`

/** How Postgres says something in its own way. */
export const onPostgres = (path: string): string =>
  `packages/adapters/src/postgres/statements/${path}`

/** How SQLite does. */
export const onSqlite = (path: string): string => `packages/adapters/src/sqlite/statements/${path}`

/** A test of the Postgres adapter. */
export const postgresTest = (name: string): string =>
  `packages/adapters/test/postgres/${name}.test.ts`

/** A file of the memory adapter. */
export const memory = (path: string): string => `packages/adapters/src/memory/${path}`
