/**
 * `verbatim workspaces`: creates, lists and shows workspaces, adds minutes, and manages webhook
 * secrets.
 */
import type { Answer } from "@verbatim/client"
import { Workspaces } from "@verbatim/core/services"
import { WebhookSecretId, WorkspaceId } from "@verbatim/core/workspace"
import { DateTime, Effect, Option, Redacted, Schema, Stream } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { call } from "./ApiCalls.ts"
import { makeCreatingCommand, makeOperatorCommand, makeStoreCommand } from "./ApiFlags.ts"
import {
  externalIdArgument,
  externalIdFlag,
  isKeyValid,
  limitFlags,
  nameOf,
  optional,
  readLimits,
  showLimits
} from "./flags.ts"
import {
  type Account,
  findAccount,
  findWorkspace,
  listAccounts,
  printable,
  tabulate,
  workspaceArgument,
  workspaceFlag
} from "./operation.ts"
import { refuse } from "./Refusal.ts"
import { describeRetention, retain } from "./retention.ts"
import {
  countSecrets,
  disable,
  enable,
  keywords,
  limit,
  remove,
  rename,
  showKeywords
} from "./workspaceState.ts"

/** Ten million minutes are nineteen years, so a larger number is a typo. */
const minutesMax = 1e7

const idOf = ({ id }: Answer<"workspaces.create">): string => id

const create = makeCreatingCommand("create", {
  description: "Create an empty workspace and print its id",
  flags: { name: nameOf, externalId: externalIdFlag, ...limitFlags },
  run: ({ externalId, name, ...flags }) => {
    const order = { name, external_id: externalId ?? null, limits: readLimits(flags) }
    return call(({ workspaces }) => workspaces.create(order)).pipe(
      Effect.catchIf(
        ({ sentence }) => externalId !== undefined && sentence.startsWith("Another workspace"),
        () => refuse(`Another workspace has the external id ${externalId}.`)
      )
    )
  },
  text: idOf
})

const ensure = makeCreatingCommand("ensure", {
  description: "Print the id of a host's workspace, creating the workspace if needed",
  flags: { externalId: externalIdArgument },
  run: ({ externalId }) => call(({ workspaces }) => workspaces.ensure(externalId)),
  text: idOf
})

const rowOf = ({ balance_minutes, external_id, id, limits, name, status }: Account) => ({
  name: printable(name),
  status,
  minutes: balance_minutes,
  "external id": printable(external_id ?? ""),
  limits: showLimits(limits),
  id
})

const list = makeOperatorCommand("list", {
  description: "List all workspaces, including deleted ones, with their minutes",
  flags: {},
  run: () => listAccounts,
  text: { row: rowOf }
})

const describe = Effect.fnUntraced(function* (account: Account) {
  const { external_id, id, name } = account
  const { data: keys } = yield* call(({ workspaces }) => workspaces.keys.list(id))
  const now = yield* DateTime.now
  const valid = keys.filter((key) => isKeyValid(key, now)).length
  const secrets = yield* countSecrets(id)
  const rows = {
    id,
    name: printable(name),
    "external id": external_id === null ? "none" : printable(external_id),
    status: account.status,
    minutes: account.balance_minutes,
    limits: showLimits(account.limits) || "none",
    keywords: showKeywords(account.keywords) || "none",
    created: account.created_at,
    keys: `${valid} valid, ${keys.length} in total`,
    ...(Option.isSome(secrets) ? { "webhook secrets": secrets.value } : {}),
    ...(yield* describeRetention(account))
  }
  return tabulate(rows)
})

const show = makeOperatorCommand("show", {
  description: "Show a workspace",
  flags: { id: workspaceArgument },
  run: ({ id }) => findAccount(id),
  text: describe
})

const credit = makeOperatorCommand("credit", {
  description: "Add minutes to a workspace",
  flags: {
    minutes: Flag.Finite("minutes").pipe(
      Flag.withDescription("Minutes to add; a negative number deducts minutes"),
      Flag.withSchema(
        Schema.Finite.check(Schema.isBetween({ minimum: -minutesMax, maximum: minutesMax }))
      )
    ),
    creditId: optional(
      Flag.String("credit-id").pipe(Flag.withSchema(Schema.String.check(Schema.isUUID()))),
      "Your own UUID for this credit, so that a retry counts only once"
    ),
    workspace: workspaceFlag
  },
  run: ({ creditId, minutes, workspace }) =>
    Effect.gen(function* () {
      const { id } = yield* findWorkspace(workspace)
      const order = { minutes, credit_id: creditId ?? null }
      return { id, balance: yield* call(({ workspaces }) => workspaces.credit(id, order)) }
    }),
  answer: ({ balance }) => balance,
  text: ({ balance, id }) => `${id} has ${balance.balance_minutes} minutes.`
})

/** Returns the service, and the workspace that the command acts on. */
const findOwner = Effect.fnUntraced(function* (workspace: string | undefined) {
  const { id } = yield* findWorkspace(workspace)
  return { workspaces: yield* Workspaces, ownerId: WorkspaceId.make(id) }
})

const addSecret = makeStoreCommand("add", {
  description: "Create a secret, print it once, and sign webhooks with it from now on",
  flags: { workspace: workspaceFlag },
  run: ({ workspace }) =>
    Effect.gen(function* () {
      const { ownerId, workspaces } = yield* findOwner(workspace)
      const { id, secret } = yield* workspaces.addWebhookSecret(ownerId)
      return { id, secret: Redacted.value(secret) }
    }),
  text: ({ secret }) => secret
})

const listSecrets = makeStoreCommand("list", {
  description: "List the ids of a workspace's secrets, oldest first",
  flags: { workspace: workspaceFlag },
  run: ({ workspace }) =>
    Stream.fromIterableEffect(
      Effect.flatMap(findOwner(workspace), ({ ownerId, workspaces }) =>
        workspaces.webhookSecrets(ownerId)
      )
    ).pipe(Stream.map(({ createdAt, id }) => ({ id, created_at: DateTime.formatIso(createdAt) }))),
  text: { row: ({ created_at, id }) => ({ id, created: created_at }) }
})

const removeSecret = makeStoreCommand("remove", {
  description: "Remove a secret; receivers must already know another secret",
  flags: { id: Argument.String("id"), workspace: workspaceFlag },
  run: (given) =>
    Effect.gen(function* () {
      const { ownerId, workspaces } = yield* findOwner(given.workspace)
      const id = Schema.decodeOption(WebhookSecretId)(given.id)
      const isRemoved =
        Option.isSome(id) && (yield* workspaces.removeWebhookSecret(ownerId, id.value))
      if (!isRemoved) return yield* refuse(`There is no secret ${given.id}.`)
    }),
  text: (_, { id }) => `Removed ${id}. It signs no more webhooks.`
})

const secrets = Command.make("secrets").pipe(
  Command.withDescription("Manage the secrets that sign a workspace's webhooks"),
  Command.withSubcommands([addSecret, listSecrets, removeSecret])
)

export const workspaces = Command.make("workspaces").pipe(
  Command.withDescription("Manage workspaces, their minutes and their webhook secrets"),
  Command.withSubcommands([
    create,
    ensure,
    list,
    show,
    rename,
    disable,
    enable,
    limit,
    keywords,
    retain,
    remove,
    credit,
    secrets
  ])
)
