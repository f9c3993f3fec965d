/**
 * The operations about the server itself. None of them needs a key.
 */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { HealthView } from "./HealthView.ts"

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
