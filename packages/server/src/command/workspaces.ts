/**
 * `verbatim workspaces`: make, list and look at workspaces, and add minutes to them.
 */
import { ApiKeys, Workspaces } from "@verbatim/core/services"
import { isValidAt, statusOf, toMinutes, type Workspace } from "@verbatim/core/workspace"
import { Console, DateTime, Effect, Option, Schema, Stream } from "effect"
import { Command, Flag } from "effect/cli"
import { keywords, showKeywords } from "./keywords.ts"
import { allLimits, limitFlags, showLimits } from "./LimitFlags.ts"
import {
  everyAccount,
  onExistingStore,
  onStore,
  printable,
  quoted,
  theAccount,
  theWorkspace,
  workspaceArgument,
  workspaceFlag
} from "./operation.ts"
import { describeRetention, retain } from "./retention.ts"
import { disable, enable, limit, remove, rename } from "./standing.ts"
import { externalIdArgument, externalIdFlag, nameOf } from "./WorkspaceFlags.ts"
import { secrets } from "./webhookSecrets.ts"

/** Ten million minutes are nineteen years: more is a typo. */
const minutesMax = 1e7

const tellId = Effect.flatMap(({ id }: Workspace) => Console.log(id))

const create = Command.make(
  "create",
  { name: nameOf, externalId: externalIdFlag, ...limitFlags },
  Effect.fn(function* ({ externalId, name, ...flags }) {
    const workspaces = yield* Workspaces
    const limits = allLimits(flags)
    const order = { name, externalId: Option.getOrUndefined(externalId), limits }
    yield* tellId(workspaces.create(order))
  }, onStore)
).pipe(Command.withDescription("Make a workspace, which has nothing, and print its id"))

const ensure = Command.make(
  "ensure",
  { externalId: externalIdArgument },
  Effect.fn(function* ({ externalId }) {
    const workspaces = yield* Workspaces
    yield* tellId(workspaces.ensure(externalId))
  }, onStore)
).pipe(Command.withDescription("Print the id of the workspace of a host, made where there is none"))

const list = Command.make(
  "list",
  {},
  Effect.fn(function* () {
    yield* Stream.runForEach(everyAccount, ({ balanceMillis, workspace }) => {
      const { _tag, externalId, id, name } = workspace
      const minutes = toMinutes(balanceMillis).padStart(12)
      const row = [id, `${minutes} minutes`, printable(name)]
      if (externalId !== null) row.push(`external id ${quoted(externalId)}`)
      const limits = showLimits(workspace)
      if (limits !== "") row.push(`limits ${limits}`)
      if (_tag !== "Active") row.push(statusOf[_tag])
      return Console.log(row.join("  "))
    })
  }, onExistingStore)
).pipe(Command.withDescription("List workspaces with what they have left, deleted ones too"))

const show = Command.make(
  "show",
  { id: workspaceArgument },
  Effect.fn(function* (given) {
    const workspaces = yield* Workspaces
    const apiKeys = yield* ApiKeys
    const { balanceMillis, workspace } = yield* theAccount(given.id)
    const { _tag, createdAt, externalId, id, name } = workspace
    const keys = yield* apiKeys.keys(id)
    const now = yield* DateTime.now
    const rows = {
      id,
      name: printable(name),
      "external id": externalId === null ? "none" : printable(externalId),
      status: statusOf[_tag],
      minutes: toMinutes(balanceMillis),
      limits: showLimits(workspace) || "none",
      keywords: showKeywords(workspace.keywords) || "none",
      created: DateTime.formatIso(createdAt),
      keys: `${keys.filter((key) => isValidAt(key, now)).length} valid, ${keys.length} in all`,
      "webhook secrets": (yield* workspaces.webhookSecrets(id)).length,
      ...(yield* describeRetention(workspace))
    }
    for (const [label, value] of Object.entries(rows)) {
      yield* Console.log(`${label.padEnd(16)} ${value}`)
    }
  }, onExistingStore)
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
    workspace: workspaceFlag
  },
  Effect.fn(function* ({ creditId, minutes, workspace }) {
    const workspaces = yield* Workspaces
    const { id } = yield* theWorkspace(workspace)
    const balance = yield* workspaces.credit(id, {
      minutes,
      creditId: Option.getOrUndefined(creditId)
    })
    yield* Console.log(`${id} has ${toMinutes(balance)} minutes.`)
  }, onExistingStore)
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
