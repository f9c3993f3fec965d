/**
 * Parts for Verbatim inside an Effect program. The services and the ports are those of
 * `@verbatim/core`, and the API is that of `@verbatim/http`.
 */

import { Effect } from "effect"
import { build } from "../open/Api.ts"
import { makeEmbedded } from "../open/Embedded.ts"
import { makeOwnerLookup } from "../open/OwnerLookup.ts"

export { type EngineLayer, toEngine } from "../Engine.ts"
export { platform } from "../Platform.ts"
export { type Settings, settings } from "./Settings.ts"
export { type WorkerOptions, worker, workerName } from "./Work.ts"

/**
 * Makes an API client whose calls are handled in this process, by the services in the context,
 * until the scope closes. The caller is an operator or, with `as`, a workspace; `fetch` requires
 * keys.
 */
export const client = Effect.gen(function* () {
  const { call, fetch } = yield* build({ options: {}, owners: yield* makeOwnerLookup(0) })
  return Object.assign(makeEmbedded({ call }), { fetch })
})
