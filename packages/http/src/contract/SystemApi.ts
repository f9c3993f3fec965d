/**
 * Defines the operations on the server itself, which need no key, and the wire format of the health
 * report.
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

export const HealthView = Schema.Struct({
  /** The version of Verbatim that the server runs. */
  version: Schema.String,
  status: Schema.Literals(["ok", "unavailable"]),
  ready: Schema.Boolean,
  /**
   * One sentence for each reason why the process is not ready; empty if it is ready. Messages from
   * an engine are shown only to management and operator keys.
   */
  reasons: Schema.Array(Schema.String),
  /** The store is `read_only` if it answers reads but accepts no writes. */
  store: Schema.Literals(["up", "read_only", "down"]),
  media: Schema.Struct({
    status: Schema.Literals(["ready", "foreign", "unreachable"]),
    /** Advice for the operator. The text is empty if the process is ready. */
    detail: Schema.String
  }),
  /** This field is null if the process has no worker. */
  transcriber: Schema.NullOr(
    Schema.Struct({
      status: Schema.Literals(["ready", "preparing", "unavailable"]),
      /** The name of the engine, or its current state if it is not ready. */
      detail: Schema.String
    })
  ),
  /** This field is null if the process has no worker. */
  worker: Schema.NullOr(
    Schema.Struct({
      /** Number of running attempts by kind. */
      running: Schema.Record(Schema.String, Schema.Int),
      /** Time of the queue's last answer, or null if it has not answered yet. */
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
