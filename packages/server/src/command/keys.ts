/** `verbatim keys`: creates, lists, rotates and revokes workspace keys and operator keys. */
import type { Answer } from "@verbatim/client"
import { ApiKeys, OperatorKeys } from "@verbatim/core/services"
import { ApiKeyId, isOfKind, kindScopes, type OperatorKey } from "@verbatim/core/workspace"
import {
  Console,
  DateTime,
  Duration,
  Effect,
  Option,
  Redacted,
  Schema,
  Stream,
  Struct
} from "effect"
import { Command } from "effect/cli"
import { call } from "./ApiCalls.ts"
import { asOperator, makeOperatorCommand, makeStoreCommand, operatorFlags } from "./ApiFlags.ts"
import {
  expiresFlag,
  isKeyValid,
  kindFlag,
  limitFlags,
  nameFlag,
  overlapFlag,
  readLimits,
  scopesFlag,
  showLimits,
  textArgument
} from "./flags.ts"
import {
  findAccount,
  findWorkspace,
  jsonFlag,
  listAccounts,
  onStore,
  printable,
  printJson,
  quoted,
  tabulate,
  workspaceFlag
} from "./operation.ts"
import { misuse, Refusal, refuse } from "./Refusal.ts"

const flags = {
  kind: kindFlag,
  workspace: workspaceFlag,
  name: nameFlag("name", "Name of the key"),
  user: nameFlag("user", "The host's name for the user (default: the workspace's first user)"),
  scopes: scopesFlag,
  expires: expiresFlag,
  ...limitFlags,
  json: jsonFlag,
  ...operatorFlags
}

type FlagValues = Command.Command.Config.Infer<typeof flags>

/** Rejects an expiry time in the past. */
const mustBeAhead = Effect.fnUntraced(function* ({ expires }: FlagValues) {
  const now = yield* DateTime.now
  if (expires === undefined || DateTime.isGreaterThan(expires, now)) return
  return yield* refuse(`The expiry time ${DateTime.formatIso(expires)} is in the past.`)
})

type Key = Answer<"workspaces.keys.list">["data"][number]

/** An operator key in the format of the API, which has no operation for operator keys. */
type OperatorsKey = Omit<
  Key,
  "kind" | "limits" | "scopes" | "user" | "user_id" | "workspace_id"
> & {
  readonly kind: "operator"
}

const timeOf = (at: DateTime.Utc | null): string | null => at && DateTime.formatIso(at)

const viewOf = (key: OperatorKey): OperatorsKey => ({
  ...{ id: key.id, kind: "operator", hint: key.hint, name: key.name ?? null },
  created_at: DateTime.formatIso(key.createdAt),
  expires_at: timeOf(key.expiresAt),
  revoked_at: timeOf(key.revokedAt),
  last_used_at: timeOf(key.lastUsedAt)
})

/** A newly issued key, with its token. */
type Issued = { readonly id: string; readonly token: string }

/** Returns the token for standard output, and prints the id to standard error. */
const toToken = ({ id, token }: Issued) =>
  Effect.as(Console.error(`Key id, for \`verbatim keys revoke\`: ${id}`), token)

const printIssued = (json: boolean, issued: Issued) =>
  json ? printJson(issued) : Effect.flatMap(toToken(issued), Console.log)

const issueOperatorKey = Effect.fnUntraced(function* ({ expires, json, name }: FlagValues) {
  const operatorKeys = yield* OperatorKeys
  const { key, token } = yield* operatorKeys.issue({
    token: Option.none(),
    name,
    expiresAt: expires
  })
  yield* printIssued(json, { ...viewOf(key), token: Redacted.value(token) })
})

const mustBeOfKind = (kind: Key["kind"], { scopes = [] }: FlagValues) => {
  const beyond = scopes.find((scope) => !isOfKind(kind, scope))
  if (beyond === undefined) return Effect.void
  const possible = kindScopes[kind].join(", ")
  return refuse(`A key of kind ${kind} cannot have the scope ${beyond}, only ${possible}.`)
}

const issueKey = Effect.fnUntraced(function* (kind: Key["kind"], options: FlagValues) {
  yield* mustBeOfKind(kind, options)
  const { id } = yield* findWorkspace(options.workspace)
  const { expires, name = null, scopes = null, user = null } = options
  const expires_at = expires === undefined ? null : DateTime.formatIso(expires)
  const order = { kind, name, user, scopes, expires_at, limits: readLimits(options) }
  const issued = yield* call(({ workspaces }) => workspaces.keys.issue(id, order))
  yield* printIssued(options.json, issued)
})

const create = Command.make(
  "create",
  flags,
  Effect.fn(function* (options) {
    const { kind, scopes, url, user, workspace } = options
    const isOfWorkspace = [scopes, user, workspace].some((each) => each !== undefined)
    if (kind === "operator" && (isOfWorkspace || Struct.keys(readLimits(options)).length > 0)) {
      return yield* misuse(
        "Operator keys belong to no workspace. Leave out --workspace, --user, --scopes and limits."
      )
    }
    if (kind === "operator" && url !== undefined) {
      return yield* misuse("Operator keys can only be created in the local store. Leave out --url.")
    }
    yield* mustBeAhead(options)
    yield* kind === "operator"
      ? onStore(issueOperatorKey(options))
      : asOperator({ url }, issueKey(kind, options))
  })
).pipe(Command.withDescription("Create a key, and print the key once, with its id"))

/** Formats a timestamp without fractions of a second. */
const shownInstant = (instant: string): string => instant.replace(/\.\d+Z$/, "Z")

const stateOf = (key: Key | OperatorsKey, now: DateTime.Utc): string => {
  if (key.revoked_at !== null) return "revoked"
  return isKeyValid(key, now) ? "active" : "expired"
}

const noSuchKey = "There is no such key. `verbatim keys list` shows the ids of all keys."

/** The listed keys, with the time at which their states are shown. */
interface ListedKey {
  readonly key: Key | OperatorsKey
  readonly now: DateTime.Utc
}

const keyRow = ({ key, now }: ListedKey) => {
  const { created_at, expires_at, hint, id, kind, last_used_at, name } = key
  const owned = kind === "operator" ? undefined : key
  return {
    name: printable(name ?? ""),
    kind,
    key: hint,
    state: stateOf(key, now),
    created: shownInstant(created_at),
    "last used": last_used_at === null ? "never" : shownInstant(last_used_at),
    expires: expires_at === null ? "" : shownInstant(expires_at),
    user: printable(owned?.user ?? ""),
    scopes: owned?.scopes?.join() ?? "",
    limits: owned === undefined ? "" : showLimits(owned.limits),
    id,
    workspace: owned?.workspace_id ?? "all"
  }
}

const readKeys = ({ id }: { readonly id: string }) =>
  Stream.fromIterableEffect(
    Effect.map(
      call(({ workspaces }) => workspaces.keys.list(id)),
      ({ data }): ReadonlyArray<Key | OperatorsKey> => data
    )
  )

const readAllKeys = Effect.map(Effect.serviceOption(OperatorKeys), (operatorKeys) => {
  // Operator keys are listed only for a local store, because the API of a server does not list
  // them.
  const operators = Option.match(operatorKeys, {
    onNone: () => Stream.empty,
    onSome: ({ keys }) => Stream.map(Stream.fromIterableEffect(keys), viewOf)
  })
  return Stream.concat(Stream.flatMap(listAccounts, readKeys), operators)
})

const list = makeOperatorCommand("list", {
  description: "List keys (default: of all workspaces); uses are recorded once an hour",
  flags: { workspace: workspaceFlag },
  run: ({ workspace }) =>
    Stream.unwrap(
      workspace === undefined ? readAllKeys : Effect.map(findWorkspace(workspace), readKeys)
    ).pipe(Stream.mapEffect((key) => Effect.map(DateTime.now, (now): ListedKey => ({ key, now })))),
  answer: ({ key }) => key,
  text: { row: keyRow }
})

/**
 * Returns a function that finds the key with this id, or a key whose visible part begins the
 * string.
 */
const isNamedBy = (given: string) => {
  const beginning = given.replace(/…$/, "")
  return ({ hint, id }: Key | OperatorsKey): boolean =>
    given === id || beginning.startsWith(hint.replace(/…$/, ""))
}

const findKeys = Effect.fnUntraced(function* (given: string) {
  const found = yield* readAllKeys.pipe(
    Stream.unwrap,
    Stream.filter(isNamedBy(given)),
    Stream.runCollect
  )
  if (found.length > 0) return found
  return yield* refuse(noSuchKey)
})

const shownKey = Effect.fnUntraced(function* (key: Key | OperatorsKey) {
  const owned = key.kind === "operator" ? undefined : key
  const account = owned && (yield* findAccount(owned.workspace_id))
  const state = stateOf(key, yield* DateTime.now)
  return tabulate({
    id: key.id,
    key: key.hint,
    kind: key.kind,
    state,
    workspace: account === undefined ? "all" : `${account.id} ${quoted(account.name)}`,
    ...(owned && {
      user: owned.user === null ? "the workspace's first user" : printable(owned.user),
      scopes: owned.scopes?.join(", ") ?? "all of its kind",
      limits: showLimits(owned.limits) || "none"
    }),
    name: key.name === null ? "none" : printable(key.name),
    created: shownInstant(key.created_at),
    expires: key.expires_at === null ? "never" : shownInstant(key.expires_at),
    "last used":
      key.last_used_at === null
        ? "never"
        : `${shownInstant(key.last_used_at)}, or up to an hour later`
  })
})

const show = makeOperatorCommand("show", {
  description: "Show the workspace, kind, scopes, expiry and last use of a key",
  flags: {
    key: textArgument("key", "Key id, or the first characters of the key, such as vbi_0123")
  },
  run: ({ key }) => Stream.fromIterableEffect(findKeys(key)),
  text: shownKey
})

const keyArgument = textArgument("id", "Key id, from `verbatim keys list`")

/** An invalid id may be a token, so the message does not repeat it. */
const toKeyId = (id: string) =>
  Effect.mapError(Schema.decodeEffect(ApiKeyId)(id), () => new Refusal({ sentence: noSuchKey }))

/** Revokes a key of a workspace or an operator. Returns whether the key exists. */
const revokeEither = Effect.fnUntraced(function* (id: ApiKeyId) {
  const apiKeys = yield* ApiKeys
  const operatorKeys = yield* OperatorKeys
  return (yield* apiKeys.revoke(id)) || (yield* operatorKeys.revoke(id))
})

const revoke = makeStoreCommand("revoke", {
  description: "Revoke a key permanently",
  flags: { id: keyArgument },
  run: (given) =>
    Effect.gen(function* () {
      const id = yield* toKeyId(given.id)
      if (!(yield* revokeEither(id))) return yield* refuse(`There is no key ${id}.`)
    }),
  text: (_, { id }) => `Revoked ${id}.`
})

const rotateKey = Effect.fnUntraced(function* (
  workspace: string | undefined,
  { id: given, overlap }: { readonly id: string; readonly overlap: Duration.Duration }
) {
  const keyId = yield* toKeyId(given)
  const { id } = yield* findWorkspace(workspace)
  const order = { overlap_seconds: Duration.toSeconds(overlap) }
  return yield* Effect.catchIf(
    call(({ workspaces }) => workspaces.keys.rotate(id, keyId, order)),
    ({ reason }) => reason === "NotFound",
    () => refuse(`The workspace ${id} has no valid key ${keyId} to rotate.`)
  )
})

const rotate = makeOperatorCommand("rotate", {
  description: "Replace a key: print the new key once; the old key expires",
  flags: { id: keyArgument, workspace: workspaceFlag, overlap: overlapFlag },
  run: ({ workspace, ...options }) => rotateKey(workspace, options),
  text: toToken
})

export const keys = Command.make("keys").pipe(
  Command.withDescription("Create, list, show, rotate and revoke keys"),
  Command.withSubcommands([create, list, show, rotate, revoke])
)
