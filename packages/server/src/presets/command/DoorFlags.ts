/**
 * Which presets a command is about: those of the workspace of a key at a server, or, where no
 * server is named, of a workspace in the database of this machine.
 */
import { ApiKeys, Presets } from "@verbatim/core/services"
import type { Principal } from "@verbatim/core/workspace"
import { Config, Effect, Layer, Option, type Redacted } from "effect"
import { Flag } from "effect/cli"
import { explainErrors } from "../../command/explanation.ts"
import { theWorkspace, withExistingStore, workspaceFlag } from "../../command/operation.ts"
import { Misuse, Refusal } from "../../command/Refusal.ts"
import * as HttpDoor from "../door/HttpDoor.ts"
import { DoorRefusal, type PresetDoor } from "../door/PresetDoor.ts"
import * as StoreDoor from "../door/StoreDoor.ts"

/** The flags of every command about presets. */
export const doorFlags = {
  url: Flag.String("url").pipe(
    Flag.withDescription(
      "Server, without /v1, asked with the key in VERBATIM_KEY; VERBATIM_URL if left out. " +
        "Without either, the database of this machine"
    ),
    Flag.optional
  ),
  workspace: workspaceFlag
}

/** What they say. */
export interface DoorWish {
  readonly url: Option.Option<string>
  readonly workspace: Option.Option<string>
}

const readKey = Config.Redacted("VERBATIM_KEY").pipe(Config.option)

const readUrl = Effect.fnUntraced(function* ({ url }: DoorWish) {
  if (Option.isSome(url)) return url.value
  return yield* Config.String("VERBATIM_URL").pipe(Config.withDefault(""))
})

/** The key that is given, or else whoever has the database. */
const principalOf = Effect.fnUntraced(function* (
  { workspace }: DoorWish,
  key: Option.Option<Redacted.Redacted>
) {
  if (Option.isSome(key)) {
    if (Option.isSome(workspace)) {
      const sentence = "A key has a workspace of its own: leave out --workspace, or VERBATIM_KEY."
      return yield* new Misuse({ sentence })
    }
    const apiKeys = yield* ApiKeys
    return yield* apiKeys.authenticate(key.value).pipe(
      Effect.catchTags({
        ApiKeyUnknown: ({ message }) => refuseKey(message),
        WorkspaceDisabled: ({ message }) => refuseKey(message)
      })
    )
  }
  const { firstUserId: userId, id: workspaceId } = yield* theWorkspace(workspace)
  const principal: Principal = { kind: "management", workspaceId, userId }
  return principal
})

const refuseKey = (message: string) =>
  Effect.fail(new Refusal({ sentence: `VERBATIM_KEY: ${message}.` }))

const atServer = Effect.fnUntraced(function* (
  url: string,
  { key, wish }: { readonly key: Option.Option<Redacted.Redacted>; readonly wish: DoorWish }
) {
  if (Option.isSome(wish.workspace)) {
    const sentence = "A server tells the workspace by the key: leave out --workspace."
    return yield* new Misuse({ sentence })
  }
  if (Option.isNone(key)) {
    return yield* new Misuse({ sentence: "Set VERBATIM_KEY to a key of the workspace." })
  }
  return HttpDoor.layer({ url, key: key.value })
})

const onServer = <A, E, R>(
  command: Effect.Effect<A, E, R>,
  layer: Layer.Layer<PresetDoor, DoorRefusal>
) => Effect.provide(command, layer)

const onDatabase = <A, E, R>(
  command: Effect.Effect<A, E, R>,
  { key, wish }: { readonly key: Option.Option<Redacted.Redacted>; readonly wish: DoorWish }
) =>
  withExistingStore(
    Effect.gen(function* () {
      const principal = yield* principalOf(wish, key)
      const door = StoreDoor.layer(principal).pipe(Layer.provide(Presets.layer))
      return yield* Effect.provide(command, door)
    })
  )

/** A sentence that ends like one. */
const explainDoor = <A, E, R>(command: Effect.Effect<A, E, R>) =>
  Effect.catch(
    command,
    (error): Effect.Effect<never, E | Refusal> =>
      error instanceof DoorRefusal
        ? Effect.fail(new Refusal({ sentence: `${error.sentence.replace(/\.$/, "")}.` }))
        : Effect.fail(error)
  )

/** Runs a command about the presets that the flags name. */
export const withDoor = <A, E, R>(wish: DoorWish, command: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const url = yield* readUrl(wish)
    const key = yield* readKey
    return url === ""
      ? yield* onDatabase(command, { key, wish })
      : yield* onServer(command, yield* atServer(url, { key, wish }))
  }).pipe(explainDoor, explainErrors)
