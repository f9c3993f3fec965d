/** How a database keeps others out while some statements run. */
import type { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"

/**
 * Runs statements in a transaction during which nobody else runs those of that name; or, where they
 * run together, nobody but those who do so too.
 */
export type Alone = <A, E, R>(
  sql: SqlClient.SqlClient,
  name: string,
  statements: Effect.Effect<A, E, R>
) => Effect.Effect<A, E | SqlError.SqlError, R>
