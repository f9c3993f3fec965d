/**
 * Prepares an empty store: the first process to start creates a workspace with minutes and keys.
 * Generated keys are printed only then. At every start, the operator key is added if it is new.
 */

import {
  type IssuedKey,
  OperatorKeys,
  TokenUnacceptable,
  Workspaces
} from "@verbatim/core/services"
import type { KeyKind, KeyOrder } from "@verbatim/core/workspace"
import { Console, Effect, Option, Redacted } from "effect"
import { HttpServer } from "effect/http"
import type { Configuration } from "./Configuration.ts"

const ordersFrom = (configuration: Configuration): ReadonlyArray<KeyOrder> => {
  const brought = [
    { kind: "management", token: configuration.bootstrapManagementKey },
    { kind: "inference", token: configuration.bootstrapInferenceKey }
  ] as const
  const given = brought.filter(({ token }) => Option.isSome(token))
  return given.length === 0 ? brought : given
}

/**
 * Finds an address at which this machine reaches the API. If the configured port is 0, only the
 * listener knows the actual port. Browsers refuse addresses that stand for all interfaces.
 */
const findAddress = Effect.fnUntraced(function* ({ host, port, roles }: Configuration) {
  const server = Option.getOrUndefined(yield* Effect.serviceOption(HttpServer.HttpServer))
  const isHere = roles.has("http") && server !== undefined && "port" in server.address
  const at = isHere ? server.address.port : port
  const name = ["0.0.0.0", "::"].includes(host) ? "127.0.0.1" : host
  return `http://${name.includes(":") ? `[${name}]` : name}:${at}`
})

const welcome = (
  configuration: Configuration,
  { address, keys }: { readonly address: string; readonly keys: ReadonlyArray<IssuedKey> }
): string => {
  const tokenOf = (kind: KeyKind) =>
    keys.flatMap(({ key, token }) => (key.kind === kind ? [Redacted.value(token)] : []))[0] ?? ""
  const look = configuration.isConsoleOn
    ? `\nOpen the console and log in with the management key: ${address}/console/\n`
    : ""
  const body = JSON.stringify({ model: "any/model", instructions: "Be brief.", temperature: 0.2 })
  return `
A workspace with ${configuration.bootstrapMinutes} minutes was created. These keys are shown once:

  management  ${tokenOf("management")}
  inference   ${tokenOf("inference")}

Store a preset, and transcribe a recording: put the path of your own file in the second command.

  curl ${address}/v1/presets/my-first/responses \\
    -H 'Authorization: Bearer ${tokenOf("management")}' \\
    -H 'Content-Type: application/json' -d '${body}'

  curl ${address}/v1/transcribe \\
    -H 'Authorization: Bearer ${tokenOf("inference")}' -F file=@path/to/recording.mp3
${look}`
}

/**
 * Refuses a configuration in which two keys have the same token. Otherwise, the order of two
 * queries would decide which key a request uses.
 */
const mustDiffer = (configuration: Configuration): Effect.Effect<void, TokenUnacceptable> => {
  const { bootstrapInferenceKey, bootstrapManagementKey, bootstrapOperatorKey } = configuration
  const given = [bootstrapManagementKey, bootstrapInferenceKey, bootstrapOperatorKey]
    .filter(Option.isSome)
    .map(({ value }) => Redacted.value(value))
  return new Set(given).size === given.length ? Effect.void : Effect.fail(new TokenUnacceptable())
}

/** Creates the first workspace if there is none, and the operator key if it is new. */
export const prepare = Effect.fn("FirstStart.prepare")(function* (configuration: Configuration) {
  yield* mustDiffer(configuration)
  yield* found(configuration)
  const operators = yield* OperatorKeys
  const { bootstrapOperatorKey } = configuration
  if (Option.isSome(bootstrapOperatorKey)) yield* operators.ensure(bootstrapOperatorKey.value)
})

const found = Effect.fnUntraced(function* (configuration: Configuration) {
  const workspaces = yield* Workspaces
  const orders = ordersFrom(configuration)
  const founded = yield* workspaces.found({
    keys: orders,
    minutes: configuration.bootstrapMinutes
  })
  if (Option.isNone(founded)) return
  const areBrought = orders.every(({ token }) => Option.isSome(token))
  yield* areBrought
    ? Effect.logInfo("Created a workspace with the supplied keys")
    : Effect.flatMap(findAddress(configuration), (address) =>
        Console.log(welcome(configuration, { address, keys: founded.value }))
      )
})
