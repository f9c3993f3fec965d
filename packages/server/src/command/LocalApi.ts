/** Serves the API within this process, with the local store. */
import { createClient } from "@verbatim/client"
import { Services } from "@verbatim/core/services"
import { client } from "@verbatim/embed/effect"
import { Effect, Layer, Option, Redacted } from "effect"
import { adapters } from "../adapters.ts"
import type { Configuration } from "../Configuration.ts"
import { Api, keepDigits } from "./ApiCalls.ts"
import { findWorkspace } from "./operation.ts"

/** The caller of the API: the owner of a key, or an operator who acts in a workspace. */
export interface LocalOptions {
  readonly key: Option.Option<Redacted.Redacted>
  readonly workspace: string | undefined
}

/**
 * The origin in the URLs of in-process calls. The name belongs to no server, because no request
 * leaves the process.
 */
const baseURL = "http://verbatim.invalid"

const makeOperator = Effect.map(client, keepDigits)

const make = Effect.fnUntraced(function* ({ key, workspace }: LocalOptions) {
  const operator = yield* makeOperator
  if (Option.isSome(key)) {
    const { fetch } = operator
    const keyed = createClient({ baseURL, fetch, key: Redacted.value(key.value), retry: false })
    return Api.of({ client: keepDigits(keyed) })
  }
  const asOperator = Api.of({ client: operator, operator })
  const { id } = yield* Effect.provideService(findWorkspace(workspace), Api, asOperator)
  const called = operator.as({ workspace: { id } })
  return Api.of({ client: keepDigits(called), operator, workspaceId: id })
})

/** Provides the API of a workspace, for a key or an operator, on the services in the context. */
export const over = (options: LocalOptions) => Layer.effect(Api, make(options))

/** Provides the services on the configured store. */
export const servicesOf = (settings: Configuration) =>
  Layer.provideMerge(Services.layer, adapters(settings))

/** Provides the API for a workspace in the configured store. */
export const layer = (settings: Configuration, options: LocalOptions) =>
  Layer.provide(over(options), servicesOf(settings))

/** The API as an operator calls it, and the services that it uses. */
export type OperatorServices = Api | Layer.Success<ReturnType<typeof servicesOf>>

/** Provides `OperatorServices` on the configured store. */
export const operatorLayer = (settings: Configuration) =>
  Layer.effect(
    Api,
    Effect.map(makeOperator, (operator) => Api.of({ client: operator, operator }))
  ).pipe(Layer.provideMerge(servicesOf(settings)))
