/**
 * The operations on the server itself, which need no key, and the wire format of the health report.
 */

import { dependencyNames, Task } from "@verbatim/core/attempt"
import { optional } from "@verbatim/core/schema"
import { Schema } from "effect"
import { HttpApiSchema } from "effect/http-api"
import { describe, makeGroup } from "./Operation.ts"
import { countField } from "./Parameters.ts"

/** A dependency that a worker cannot use. */
export const OutageView = Schema.Struct({
  name: Schema.Literals(Object.values(dependencyNames)),
  tasks: Schema.Array(Task).annotate({
    description: "The tasks that need the dependency, and therefore wait."
  }),
  failures: countField("Number of consecutive failures."),
  cause: optional(
    Schema.String,
    "The dependency's own error message with secrets removed, if it sent one. Only for " +
      "management and operator keys."
  )
}).annotate({ identifier: "OutageView" })

/** The health report on the wire. */
export const HealthView = Schema.Struct({
  /** The version of Verbatim that the server runs. */
  version: Schema.String,
  status: Schema.Literals(["ok", "unavailable"]),
  ready: Schema.Boolean,
  /**
   * The reasons why the process is not ready, one sentence each; empty if it is ready. Only
   * management and operator keys see the messages of an engine.
   */
  reasons: Schema.Array(Schema.String),
  /** Set to `read_only` if the store answers but accepts no writes. */
  store: Schema.Literals(["up", "read_only", "down"]),
  media: Schema.Struct({
    status: Schema.Literals(["ready", "foreign", "unreachable"]),
    /** Advice for the operator; empty if the process is ready. */
    detail: Schema.String
  }),
  /** Null if the process has no worker. */
  transcriber: Schema.NullOr(
    Schema.Struct({
      status: Schema.Literals(["ready", "preparing", "unavailable"]),
      /** The engine's name if the engine is ready, otherwise its current state. */
      detail: Schema.String
    })
  ),
  /** Null if the process has no worker. */
  worker: Schema.NullOr(
    Schema.Struct({
      /** Number of running attempts by kind. */
      running: Schema.Record(Schema.String, Schema.Int),
      /** When the queue last answered; null before the first answer. */
      claimed_at: Schema.NullOr(Schema.String),
      /** Dependencies that the worker cannot use. */
      outages: Schema.Array(OutageView)
    })
  )
}).annotate({ identifier: "Health" })
export type HealthView = typeof HealthView.Type

const unavailable = HealthView.pipe(HttpApiSchema.status(503))

const health = describe(
  "Check whether the server accepts requests, and see its engine and worker"
).get("health", "/health", {
  success: HealthView,
  error: unavailable
})

const ready = describe("Check whether the engine and the worker are ready").get(
  "ready",
  "/health/ready",
  {
    success: HealthView,
    error: unavailable
  }
)

const Welcome = Schema.Struct({
  name: Schema.String,
  version: Schema.String,
  documentation: Schema.String,
  description: Schema.String
}).annotate({ identifier: "Welcome" })

const welcome = describe("Read the server's name, version and links to its documentation").get(
  "welcome",
  "/",
  { success: Welcome }
)

export const SystemApi = makeGroup("system", {
  title: "System",
  description: "About the server itself."
}).add(health, ready, welcome)
