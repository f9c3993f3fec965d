/**
 * How the process is doing, as the wire shows it.
 */
import { dependencyNames } from "@verbatim/core/attempt"
import { Schema } from "effect"

/** What a worker needs, as the wire calls it. */
export const DependencyName = Schema.Literals(Object.values(dependencyNames))

/** A report as the wire shows it. */
export const HealthView = Schema.Struct({
  /** The version of Verbatim that this process runs. */
  version: Schema.String,
  status: Schema.Literals(["ok", "unavailable"]),
  ready: Schema.Boolean,
  /**
   * Why it is not ready, one sentence for each cause; empty when it is. What an engine said itself
   * is for management and operator keys.
   */
  reasons: Schema.Array(Schema.String),
  /** `read_only` when it answers and takes no writes. */
  store: Schema.Literals(["up", "read_only", "down"]),
  media: Schema.Struct({
    status: Schema.Literals(["ready", "foreign", "unreachable"]),
    /** What the operator can do; empty when it is ready. */
    detail: Schema.String
  }),
  /** Null in a process that does no work. */
  transcriber: Schema.NullOr(
    Schema.Struct({
      status: Schema.Literals(["ready", "preparing", "unavailable"]),
      /** The engine when it is ready, otherwise what is going on. */
      detail: Schema.String
    })
  ),
  /** Null in a process that does no work. */
  worker: Schema.NullOr(
    Schema.Struct({
      /** Attempts of each kind that run now. */
      running: Schema.Record(Schema.String, Schema.Int),
      /** When the queue last answered; null before the first time. */
      claimed_at: Schema.NullOr(Schema.String),
      /** What it cannot reach; the work that needs it waits. */
      out_of_reach: Schema.Array(DependencyName)
    })
  )
}).annotate({ identifier: "Health" })
export type HealthView = typeof HealthView.Type
