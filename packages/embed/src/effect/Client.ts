/** The API client inside an Effect program. */
import { Effect } from "effect"
import { build } from "../open/Api.ts"
import { makeEmbedded } from "../open/Embedded.ts"
import { makeOwnerLookup } from "../open/OwnerLookup.ts"

/**
 * Makes the client of the API, answered in this process by the services of the context until the
 * scope closes. The client calls as an operator or, with `as`, for a workspace; `fetch` requires
 * keys.
 */
export const client = Effect.gen(function* () {
  const { call, fetch } = yield* build({ options: {}, owners: yield* makeOwnerLookup(0) })
  return Object.assign(makeEmbedded({ call }), { fetch })
})
