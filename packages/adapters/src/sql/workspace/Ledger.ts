/**
 * The one way in which a balance changes: together with a line in the ledger, and once for each
 * credit and each job.
 */

import { type ApiKeyId, BalanceMillis, type WorkspaceId } from "@verbatim/core/workspace"
import { type DateTime, Effect, Option } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { type Row, reading } from "../row/Row.ts"

/** A line to add. */
export interface Booking {
  readonly workspaceId: WorkspaceId
  /** The column, and the id in it, by which a repeat is recognised. */
  readonly column: "credit_id" | "job_id"
  readonly id: string
  /** The key that asked for the job; null for a credit. */
  readonly keyId: ApiKeyId | null
  /** Negative when minutes are taken. */
  readonly millis: number
  readonly at: DateTime.Utc
}

/**
 * Books, inside the caller's transaction, unless it was booked before. Returns the balance after
 * it; none, and nothing booked, when there is no such workspace.
 */
export type Book = (
  sql: SqlClient.SqlClient,
  booking: Booking
) => Effect.Effect<Option.Option<BalanceMillis>, SqlError.SqlError>

/** Reads a stored number of milliseconds. */
export const readMillis = reading(BalanceMillis)

/** What became of a booking; none when there is no such workspace. */
type Attempt = Option.Option<{
  readonly balanceMillis: BalanceMillis
  /** `false` when the column has the id already. */
  readonly isBooked: boolean
}>

/** Books under exactly this id, unless the column has it. */
export type TryBook = (
  sql: SqlClient.SqlClient,
  booking: Booking
) => Effect.Effect<Attempt, SqlError.SqlError>

/** Whether another workspace has a credit under this id. */
const isOthers = (sql: SqlClient.SqlClient, { column, id, workspaceId }: Booking) =>
  column === "job_id"
    ? Effect.succeed(false)
    : Effect.map(
        sql<Row>`SELECT workspace_id FROM verbatim_ledger WHERE credit_id = ${id}`,
        ([row]) => row !== undefined && row.workspace_id !== workspaceId
      )

/** One name more is enough unless somebody calls a credit like a workspace and a credit. */
const namesMax = 4

/** Before the id of a credit that another workspace has used. */
const prefixOf = (workspaceId: WorkspaceId): string => `${workspaceId} `

/** The id that a credit was given, from the name that it is booked under. */
export const toCreditId = (name: string, workspaceId: WorkspaceId): string => {
  const prefix = prefixOf(workspaceId)
  let id = name
  while (id.startsWith(prefix)) id = id.slice(prefix.length)
  return id
}

/**
 * The booking of a database. The column has each id once, but two workspaces may use the same one:
 * who comes second is booked under a name with its own id before it. The first lines stay for ever,
 * so a repeat finds its own; and a program that knows nothing of this books neither again.
 */
export const makeBook = (tryBook: TryBook): Book =>
  Effect.fnUntraced(function* (sql, booking) {
    for (let { id } = booking, names = 0; names < namesMax; names += 1) {
      const named = { ...booking, id }
      const tried = yield* tryBook(sql, named)
      const isDone = Option.isNone(tried) || tried.value.isBooked || !(yield* isOthers(sql, named))
      if (isDone) return Option.map(tried, ({ balanceMillis }) => balanceMillis)
      id = `${prefixOf(booking.workspaceId)}${id}`
    }
    return yield* Effect.die(`no name is left for the credit ${booking.id}`)
  })
