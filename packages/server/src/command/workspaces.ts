/**
 * `verbatim workspaces`: make, list and look at workspaces, and add minutes to them.
 */
import type { Answer } from "@verbatim/client"
import { DateTime, Effect, Option, Schema, Stream } from "effect"
import { Command, Flag } from "effect/cli"
import { call } from "./ApiCalls.ts"
import { asOperator, operatorFlags } from "./ApiFlags.ts"
import {
  externalIdArgument,
  externalIdFlag,
  givenLimits,
  isKeyValid,
  limitFlags,
  nameOf,
  showLimits
} from "./flags.ts"
import {
  type Account,
  everyAccount,
  print,
  printable,
  quoted,
  theAccount,
  theWorkspace,
  workspaceArgument,
  workspaceFlag
} from "./operation.ts"
import { Refusal } from "./Refusal.ts"
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
} from "./standing.ts"
import { secrets } from "./webhookSecrets.ts"

/** Ten million minutes are nineteen years: more is a typo. */
const minutesMax = 1e7

const tellId = ({ id }: Answer<"workspaces.create">): string => id

const create = Command.make(
  "create",
  { name: nameOf, externalId: externalIdFlag, ...limitFlags, ...operatorFlags },
  Effect.fn(function* ({ externalId, json, name, url, ...flags }) {
    const external_id = Option.getOrNull(externalId)
    const order = { name, external_id, limits: givenLimits(flags) }
    const creating = call(({ workspaces }) => workspaces.create(order)).pipe(
      Effect.catchIf(
        ({ sentence }) => external_id !== null && sentence.startsWith("Another workspace"),
        () => {
          const sentence = `Another workspace has the external id ${external_id}.`
          return Effect.fail(new Refusal({ sentence }))
        }
      )
    )
    const command = Effect.flatMap(creating, (made) => print(json, made, tellId))
    yield* asOperator({ url, makesStore: true }, command)
  })
).pipe(Command.withDescription("Make a workspace, which has nothing, and print its id"))

const ensure = Command.make(
  "ensure",
  { externalId: externalIdArgument, ...operatorFlags },
  Effect.fn(function* ({ externalId, json, url }) {
    const ensuring = call(({ workspaces }) => workspaces.ensure(externalId))
    const command = Effect.flatMap(ensuring, (made) => print(json, made, tellId))
    yield* asOperator({ url, makesStore: true }, command)
  })
).pipe(Command.withDescription("Print the id of the workspace of a host, made where there is none"))

const rowOf = ({ balance_minutes, external_id, id, limits, name, status }: Account): string => {
  const row = [id, `${balance_minutes.padStart(12)} minutes`, printable(name)]
  if (external_id !== null) row.push(`external id ${quoted(external_id)}`)
  const shown = showLimits(limits)
  if (shown !== "") row.push(`limits ${shown}`)
  if (status !== "active") row.push(status)
  return row.join("  ")
}

const list = Command.make(
  "list",
  operatorFlags,
  Effect.fn(function* ({ json, url }) {
    const command = Stream.runForEach(everyAccount, (account) => print(json, account, rowOf))
    yield* asOperator({ url }, command)
  })
).pipe(Command.withDescription("List workspaces with what they have left, deleted ones too"))

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
    keys: `${valid} valid, ${keys.length} in all`,
    ...(Option.isSome(secrets) ? { "webhook secrets": secrets.value } : {}),
    ...(yield* describeRetention(account))
  }
  return Object.entries(rows).map(([label, value]) => `${label.padEnd(16)} ${value}`)
})

const show = Command.make(
  "show",
  { id: workspaceArgument, ...operatorFlags },
  Effect.fn(function* ({ id, json, url }) {
    const command = Effect.gen(function* () {
      const account = yield* theAccount(id)
      const lines = json ? [] : yield* describe(account)
      yield* print(json, account, () => lines.join("\n"))
    })
    yield* asOperator({ url }, command)
  })
).pipe(Command.withDescription("Show one workspace"))

const credit = Command.make(
  "credit",
  {
    minutes: Flag.Finite("minutes").pipe(
      Flag.withDescription("Minutes to add; a negative number takes some away"),
      Flag.withSchema(
        Schema.Finite.check(Schema.isBetween({ minimum: -minutesMax, maximum: minutesMax }))
      )
    ),
    creditId: Flag.String("credit-id").pipe(
      Flag.withDescription(
        "A UUID of your own: with it the same credit counts once, if asked again"
      ),
      Flag.withSchema(Schema.String.check(Schema.isUUID())),
      Flag.optional
    ),
    workspace: workspaceFlag,
    ...operatorFlags
  },
  Effect.fn(function* ({ creditId, json, minutes, url, workspace }) {
    const command = Effect.gen(function* () {
      const { id } = yield* theWorkspace(workspace)
      const order = { minutes, credit_id: Option.getOrNull(creditId) }
      const balance = yield* call(({ workspaces }) => workspaces.credit(id, order))
      yield* print(json, balance, (answer) => `${id} has ${answer.balance_minutes} minutes.`)
    })
    yield* asOperator({ url }, command)
  })
).pipe(Command.withDescription("Add minutes to a workspace"))

/** The command group. */
export const workspaces = Command.make("workspaces").pipe(
  Command.withDescription("Make, change and delete workspaces, add minutes, sign their webhooks"),
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
