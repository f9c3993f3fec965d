/**
 * What a host does inside its own transaction: jobs and presets that are written over its
 * connection are committed, or rolled back, with what the host writes.
 */
import { Effect, Option } from "effect"
import { InvalidInput } from "../Errors.ts"
import type { Job } from "../view/Job.ts"
import type { Run } from "./Host.ts"
import type { Jobs } from "./Jobs.ts"
import type { Presets } from "./Presets.ts"
import type { Transcribe } from "./Transcribe.ts"

/** A connection of Postgres that is in a transaction: a client of `pg` is one. */
export interface HostConnection {
  readonly query: (
    text: string,
    values: Array<unknown>
  ) => PromiseLike<{ readonly rows: ReadonlyArray<object> }>
}

/** A database of `node:sqlite` that is in a transaction. */
export interface HostDatabase {
  readonly prepare: (sql: string) => object
  readonly exec: (sql: string) => void
}

/**
 * The transaction that a `SqlClient` of Effect is in, where the database is that client: what
 * `Effect.serviceOption(sql.transactionService)` finds inside `sql.withTransaction`.
 */
export type HostSqlTransaction = readonly [
  connection: { readonly execute: object; readonly executeUnprepared: object },
  depth: number
]

/** The methods that write, over the connection of a host. */
export interface Inside {
  readonly transcribe: (wanted: Transcribe) => Promise<Job>
  readonly jobs: Pick<Jobs, "get" | "redeliver" | "remove" | "renotify" | "retry">
  readonly presets: Presets
}

const noConnection = Effect.fail(
  new InvalidInput({ code: "NoConnection", message: "within needs a connection of yours" })
)

const noTransactions = () =>
  new InvalidInput({
    code: "NoTransactions",
    message: "A database in memory is in no transaction of yours"
  })

/** Loaded when it is first used: whoever never does, never waits for it. */
const findDoor = Effect.promise(() => import("@verbatim/adapters/sql")).pipe(
  Effect.flatMap(({ HostTransaction }) => Effect.serviceOption(HostTransaction)),
  Effect.flatMap(
    Option.match({ onNone: () => Effect.fail(noTransactions()), onSome: Effect.succeed })
  )
)

/** Runs everything over one connection. */
export const runWithin =
  (run: Run, connection: unknown): Run =>
  (effect, signal) => {
    if (typeof connection !== "object" || connection === null) return run(noConnection)
    return run(
      Effect.flatMap(findDoor, (door) => door.within(connection)(effect)),
      signal
    )
  }
