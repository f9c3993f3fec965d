/**
 * Sessions kept for statements that a worker must get through while its leases hold. Requests that
 * wait for one row may take all other sessions of a process, and its attempts would be lost.
 */
import { Context } from "effect"
import type { SqlClient } from "effect/sql"

/** Clients of the same database as the store's own. */
export interface Reserved {
  /** For renewals: they wait for nobody, so one session is enough. */
  readonly renewals: SqlClient.SqlClient
  /** For shared statements of commits that end attempts. */
  readonly endings: SqlClient.SqlClient
  /** For those of these commits that are large, or whose rows are locked: they may take long. */
  readonly longEndings: SqlClient.SqlClient
}

/** None where a database has one session, or one for each caller. */
export const ReservedSessions: Context.Reference<Reserved | undefined> = Context.Reference(
  "@verbatim/adapters/sql/ReservedSessions",
  { defaultValue: (): Reserved | undefined => undefined }
)
