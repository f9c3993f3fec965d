/** The API over the store of this machine, answered in this process. */
import { createClient } from "@verbatim/client"
import { Services } from "@verbatim/core/services"
import { client } from "@verbatim/embed/effect"
import { Effect, Layer, Option, Redacted } from "effect"
import { foundation } from "../Application.ts"
import type { Configuration } from "../Configuration.ts"
import { Api, keepDigits } from "./ApiCalls.ts"
import type { LocalWish } from "./ApiFlags.ts"
import { theWorkspace } from "./operation.ts"

/** No name of a server: no request leaves the process. */
const baseUrl = "http://verbatim.invalid"

const make = Effect.fnUntraced(function* ({ key, workspace }: LocalWish) {
  const embedded = yield* client
  if (Option.isSome(key)) {
    const { fetch } = embedded
    const keyed = createClient({ baseUrl, fetch, key: Redacted.value(key.value), retry: false })
    return { client: keepDigits(keyed), operator: undefined, workspaceId: undefined }
  }
  const { id } = yield* theWorkspace(workspace)
  const called = embedded.as({ workspace: { id } })
  return { client: keepDigits(called), operator: keepDigits(embedded), workspaceId: id }
})

/** The API of a workspace over the services of the context, called with a key or by an operator. */
export const over = (wish: LocalWish) =>
  Layer.effect(
    Api,
    Effect.map(make(wish), (made) => Api.of({ ...made, url: undefined }))
  )

/** The same over a store that a configuration names. */
export const layer = (settings: Configuration, wish: LocalWish) =>
  over(wish).pipe(Layer.provide(Services.layer), Layer.provide(foundation(settings)))
