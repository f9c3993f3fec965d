/**
 * The parts for running Verbatim inside an Effect program. The services and ports come from
 * `@verbatim/core`, and the API from `@verbatim/http`.
 */

import { Effect } from "effect"
import { build } from "../open/Api.ts"
import { makeEmbedded } from "../open/Embedded.ts"
import { makeOwnerLookup } from "../open/OwnerLookup.ts"

export { type EngineLayer, toEngine } from "../Engine.ts"
export { platform } from "../Platform.ts"
export { type Settings, settings } from "./Settings.ts"
export { type WorkerOptions, worker, workerName } from "./Worker.ts"

/**
 * Creates an API client. Until the scope closes, the services in the context handle its calls
 * within this process. The caller is an operator or, with `as`, a workspace; requests through
 * `fetch` need a key.
 */
export const client = Effect.gen(function* () {
  const { call, fetch } = yield* build({ options: {}, owners: yield* makeOwnerLookup(0) })
  return Object.assign(makeEmbedded({ call }), { fetch })
})
