/**
 * Whose API a command calls: that of a server with a key, or, where no server is named, that of a
 * workspace in the store of this machine.
 */
import { Config, Context, Effect, Layer, Option } from "effect"
import { Flag } from "effect/cli"
import { Api, atServer } from "./ApiCalls.ts"
import { explainErrors } from "./explanation.ts"
import type { LocalWish, Operated } from "./LocalApi.ts"
import { jsonFlag, quiet, readExisting, readStored, workspaceFlag } from "./operation.ts"
import { Misuse } from "./Refusal.ts"

/** The flags of every command that calls the API for a workspace. */
export const apiFlags = {
  url: Flag.String("url").pipe(
    Flag.withDescription(
      "Server, without /v1, called with the key in VERBATIM_KEY; VERBATIM_URL if left out. " +
        "Without either, the database of this machine"
    ),
    Flag.optional
  ),
  workspace: workspaceFlag
}

/** What they say. */
export interface ApiWish {
  readonly url: Option.Option<string>
  readonly workspace: Option.Option<string>
}

const readKey = Config.Redacted("VERBATIM_KEY").pipe(Config.option)

const readUrl = Effect.fnUntraced(function* ({ url }: ApiWish) {
  if (Option.isSome(url)) return url.value
  return yield* Config.String("VERBATIM_URL").pipe(Config.withDefault(""))
})

/** Loaded where it is used: the whole API takes a fifth of a second. */
const here = Effect.fnUntraced(function* (wish: LocalWish) {
  const settings = yield* readExisting
  const { layer } = yield* Effect.promise(() => import("./LocalApi.ts"))
  return Context.get(yield* Layer.build(layer(settings, wish)), Api)
})

const makeApi = Effect.fnUntraced(function* (wish: ApiWish) {
  const { workspace } = wish
  const [url, key] = yield* Effect.all([readUrl(wish), readKey])
  if (url === "") {
    if (Option.isSome(key) && Option.isSome(workspace)) {
      const sentence = "A key has a workspace of its own: leave out --workspace, or VERBATIM_KEY."
      return yield* new Misuse({ sentence })
    }
    return yield* here({ key, workspace })
  }
  if (Option.isSome(workspace)) {
    const sentence = "A server tells the workspace by the key: leave out --workspace."
    return yield* new Misuse({ sentence })
  }
  if (Option.isNone(key)) {
    return yield* new Misuse({ sentence: "Set VERBATIM_KEY to a key of the workspace." })
  }
  return yield* atServer(url, key.value)
})

/** Runs a command that calls the API which the flags name. */
export const withApi = <A, E, R>(wish: ApiWish, command: Effect.Effect<A, E, R>) =>
  Effect.provideServiceEffect(command, Api, makeApi(wish)).pipe(Effect.scoped, quiet, explainErrors)

/** The flags of commands that an operator runs. */
export const operatorFlags = {
  url: Flag.String("url").pipe(
    Flag.withDescription(
      "Server, without /v1, called with the operator key in VERBATIM_KEY; the store of this " +
        "machine if left out"
    ),
    Flag.optional
  ),
  json: jsonFlag
}

/** Where an operator's command calls the API, and which store it finds on this machine. */
interface OperatorWish {
  readonly url: Option.Option<string>
  /** Whether a store is made where there is none. */
  readonly makesStore?: boolean
}

const makeOperatorApi = Effect.fnUntraced(function* (url: string) {
  const key = yield* readKey
  if (Option.isSome(key)) return yield* atServer(url, key.value)
  return yield* new Misuse({ sentence: "Set VERBATIM_KEY to an operator key of the server." })
})

const onOwnStore = <A, E>(
  command: Effect.Effect<A, E, Operated>,
  makesStore: boolean
): Effect.Effect<A, unknown> =>
  Effect.gen(function* () {
    const settings = yield* makesStore ? readStored : readExisting
    const { operated } = yield* Effect.promise(() => import("./LocalApi.ts"))
    return yield* Effect.provide(command, operated(settings))
  }).pipe(quiet, explainErrors)

/** Runs a command on the store of this machine, which has the services next to the API. */
export const withOperated = <A, E>(command: Effect.Effect<A, E, Operated>) =>
  onOwnStore(command, false)

/** Runs a command that calls the API as an operator. */
export const asOperator = <A, E>(
  { makesStore = false, url }: OperatorWish,
  command: Effect.Effect<A, E, Api>
): Effect.Effect<A, unknown> =>
  Option.match(url, {
    onNone: () => onOwnStore(command, makesStore),
    onSome: (at) =>
      Effect.provideServiceEffect(command, Api, makeOperatorApi(at)).pipe(
        Effect.scoped,
        explainErrors
      )
  })

/** The same where the variables may name the server, as for every call of the API. */
export const withOperatorApi = <A, E>(wish: ApiWish, command: Effect.Effect<A, E, Api>) =>
  Effect.flatMap(readUrl(wish), (url) =>
    asOperator({ url: Option.liftPredicate(url, (named) => named !== "") }, command)
  )
