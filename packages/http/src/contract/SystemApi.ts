/**
 * The operations about the server itself, which need no key, and its health as the wire shows it.
 */
import { dependencyNames } from "@verbatim/core/attempt"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"

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

const unavailable = HealthView.pipe(HttpApiSchema.status(503))

const health = HttpApiEndpoint.get("health", "/health", {
  success: HealthView,
  error: unavailable
}).annotateMerge(
  OpenApi.annotations({ summary: "Whether the server takes requests; engine and worker beside it" })
)

const ready = HttpApiEndpoint.get("ready", "/health/ready", {
  success: HealthView,
  error: unavailable
}).annotateMerge(OpenApi.annotations({ summary: "Whether engine and worker can do their work" }))

const Welcome = Schema.Struct({
  name: Schema.String,
  version: Schema.String,
  documentation: Schema.String,
  description: Schema.String
}).annotate({ identifier: "Welcome" })

const welcome = HttpApiEndpoint.get("welcome", "/", { success: Welcome }).annotateMerge(
  OpenApi.annotations({ summary: "What this server is, and where it is described" })
)

/** About the server itself. */
export const SystemApi = HttpApiGroup.make("system")
  .add(health, ready, welcome)
  .annotateMerge(OpenApi.annotations({ title: "System", description: "About the server itself." }))
