/**
 * `verbatim keys`: issue, list, replace and revoke keys, of workspaces and of operators.
 */
import { ApiKeys, OperatorKeys } from "@verbatim/core/services"
import {
  type ApiKey,
  ApiKeyId,
  isValidAt,
  type KeyOrder,
  kindScopes,
  type OperatorKey
} from "@verbatim/core/workspace"
import { Console, DateTime, Effect, Option, Redacted, Schema, Stream, Struct } from "effect"
import { Argument, Command } from "effect/cli"
import { explainErrors } from "./explanation.ts"
import { expiresFlag, kindFlag, nameFlag, overlapFlag, scopesFlag } from "./KeyFlags.ts"
import { allLimits, givenLimits, limitFlags, showLimits } from "./LimitFlags.ts"
import {
  everyAccount,
  onExistingStore,
  quoted,
  theWorkspace,
  withExistingStore,
  withStore,
  workspaceFlag
} from "./operation.ts"
import { Misuse, Refusal } from "./Refusal.ts"

const flags = {
  kind: kindFlag,
  workspace: workspaceFlag,
  name: nameFlag("name", "What people call the key"),
  user: nameFlag(
    "user",
    "The host's own name for the user; the workspace's first user if left out"
  ),
  scopes: scopesFlag,
  expires: expiresFlag,
  ...limitFlags
}

type Wishes = Command.Command.Config.Infer<typeof flags>

/** A key that has ended already is a typo. */
const mustBeAhead = Effect.fnUntraced(function* ({ expires }: Wishes) {
  const now = yield* DateTime.now
  if (Option.isNone(expires) || DateTime.isGreaterThan(expires.value, now)) return
  const sentence = `The expiry ${DateTime.formatIso(expires.value)} has passed already.`
  return yield* new Refusal({ sentence })
})

const issueOperatorKey = Effect.fnUntraced(function* ({ expires, name }: Wishes) {
  const operatorKeys = yield* OperatorKeys
  return yield* operatorKeys.issue({
    token: Option.none(),
    name: Option.getOrUndefined(name),
    expiresAt: Option.getOrUndefined(expires)
  })
})

const issueKey = Effect.fnUntraced(function* (kind: KeyOrder["kind"], wishes: Wishes) {
  const apiKeys = yield* ApiKeys
  const { id } = yield* theWorkspace(wishes.workspace)
  const issued = apiKeys.issue(id, {
    kind,
    token: Option.none(),
    name: Option.getOrUndefined(wishes.name),
    holder: Option.getOrUndefined(wishes.user),
    scopes: Option.getOrUndefined(wishes.scopes),
    expiresAt: Option.getOrUndefined(wishes.expires),
    limits: allLimits(wishes)
  })
  return yield* Effect.catchTag(issued, "ScopeBeyondKind", ({ scope }) => {
    const possible = kindScopes[kind].join(", ")
    const sentence = `A key of the kind ${kind} cannot have the scope ${scope}, only ${possible}.`
    return Effect.fail(new Refusal({ sentence }))
  })
})

const create = Command.make(
  "create",
  flags,
  Effect.fn(function* (wishes) {
    const { kind, scopes, user, workspace } = wishes
    const isOfWorkspace = [scopes, user, workspace].some((each) => Option.isSome<unknown>(each))
    if (kind === "operator" && (isOfWorkspace || Struct.keys(givenLimits(wishes)).length > 0)) {
      const sentence =
        "Operator keys belong to no workspace: leave out --workspace, --user, --scopes and limits."
      return yield* new Misuse({ sentence })
    }
    yield* mustBeAhead(wishes)
    const issued =
      kind === "operator"
        ? yield* withStore(issueOperatorKey(wishes))
        : yield* withExistingStore(issueKey(kind, wishes))
    yield* Console.log(Redacted.value(issued.token))
  }, explainErrors)
).pipe(Command.withDescription("Issue a key and print it, once"))

/** When something happened, to the second. */
const shownInstant = (instant: DateTime.Utc): string =>
  DateTime.formatIso(instant).replace(/\.\d+Z$/, "Z")

const stateOf = (key: OperatorKey, now: DateTime.Utc): string => {
  if (key.revokedAt !== null) return "revoked"
  return isValidAt(key, now) ? "active" : "expired"
}

const wide = "workspace 01900000-0000-7000-8000-000000000000".length

const keyRow = (key: ApiKey | OperatorKey, now: DateTime.Utc): string => {
  const { createdAt, expiresAt, hint, id, lastUsedAt, name } = key
  const owned = "workspaceId" in key ? key : undefined
  const optional = [
    ["expires", expiresAt && shownInstant(expiresAt)],
    ["scopes", owned?.scopes?.join()],
    ["name", name && quoted(name)],
    ["user", owned?.holder && quoted(owned.holder)],
    ["limits", owned && showLimits(owned)]
  ]
  return [
    id,
    (owned?.kind ?? "operator").padEnd(10),
    hint,
    stateOf(key, now).padEnd(7),
    shownInstant(createdAt),
    (owned === undefined ? "all workspaces" : `workspace ${owned.workspaceId}`).padEnd(wide),
    lastUsedAt === null ? "never used" : `last used ${shownInstant(lastUsedAt)}`,
    ...optional.flatMap(([label, value]) => (value ? [`${label} ${value}`] : []))
  ].join("  ")
}

const show = (keys: ReadonlyArray<ApiKey | OperatorKey>) =>
  Effect.flatMap(DateTime.now, (now) =>
    Effect.forEach(keys, (key) => Console.log(keyRow(key, now)), { discard: true })
  )

const list = Command.make(
  "list",
  { workspace: workspaceFlag },
  Effect.fn(function* ({ workspace }) {
    const apiKeys = yield* ApiKeys
    if (Option.isSome(workspace)) {
      const { id } = yield* theWorkspace(workspace)
      return yield* show(yield* apiKeys.keys(id))
    }
    yield* Stream.runForEach(everyAccount, ({ workspace }) =>
      Effect.flatMap(apiKeys.keys(workspace.id), show)
    )
    const operatorKeys = yield* OperatorKeys
    yield* show(yield* operatorKeys.keys)
  }, onExistingStore)
).pipe(Command.withDescription("List keys, without their secrets; without --workspace all of them"))

const keyArgument = Argument.String("id").pipe(
  Argument.withDescription("Id of the key, from `verbatim keys list`")
)

/** Whatever is no id may be a token: it is not repeated. */
const toKeyId = (id: string) =>
  Effect.mapError(Schema.decodeEffect(ApiKeyId)(id), () => {
    const sentence = "There is no such key: `verbatim keys list` shows the ids of all keys."
    return new Refusal({ sentence })
  })

/** Revokes a key, an operator's or a workspace's; whether there is one with that id. */
const revokeEither = Effect.fnUntraced(function* (id: ApiKeyId) {
  const apiKeys = yield* ApiKeys
  const operatorKeys = yield* OperatorKeys
  return (yield* apiKeys.revoke(id)) || (yield* operatorKeys.revoke(id))
})

const revoke = Command.make(
  "revoke",
  { id: keyArgument },
  Effect.fn(function* (given) {
    const id = yield* toKeyId(given.id)
    if (!(yield* revokeEither(id)))
      return yield* new Refusal({ sentence: `There is no key ${id}.` })
    yield* Console.log(`Revoked ${id}.`)
  }, onExistingStore)
).pipe(Command.withDescription("Revoke a key for good"))

const rotate = Command.make(
  "rotate",
  { id: keyArgument, workspace: workspaceFlag, overlap: overlapFlag },
  Effect.fn(function* (given) {
    const apiKeys = yield* ApiKeys
    const keyId = yield* toKeyId(given.id)
    const { id } = yield* theWorkspace(given.workspace)
    const rotated = apiKeys.rotate(id, { keyId, overlap: given.overlap })
    const { token } = yield* Effect.catchTag(rotated, "KeyNotReplaceable", () => {
      const sentence = `The workspace ${id} has no valid key ${keyId} that could be replaced.`
      return Effect.fail(new Refusal({ sentence }))
    })
    yield* Console.log(Redacted.value(token))
  }, onExistingStore)
).pipe(Command.withDescription("Issue a key like another one, which ends soon; print it, once"))

/** The command group. */
export const keys = Command.make("keys").pipe(
  Command.withDescription("Issue, list, replace and revoke keys"),
  Command.withSubcommands([create, list, rotate, revoke])
)
