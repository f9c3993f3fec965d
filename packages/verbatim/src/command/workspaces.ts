/**
 * `verbatim workspaces`: list workspaces, add minutes, and give them secrets for their webhooks.
 */

import { Workspaces } from "@verbatim/core/services"
import { toMinutes, WebhookSecretId } from "@verbatim/core/workspace"
import { Console, DateTime, Effect, Option, Redacted, Schema, Stream } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { everyAccount, explainErrors, Refusal, theWorkspace, withStore } from "./operation.ts"

/** Ten million minutes are nineteen years: more is a typo. */
const minutesMax = 1e7

const list = Command.make(
  "list",
  {},
  Effect.fn(
    function* () {
      yield* Stream.runForEach(everyAccount, ({ balanceMillis, workspace }) => {
        const minutes = toMinutes(balanceMillis).padStart(12)
        return Console.log(`${workspace.id}  ${minutes} minutes  ${workspace.name}`)
      })
    },
    withStore,
    explainErrors
  )
).pipe(Command.withDescription("List workspaces with what they have left"))

const workspace = Flag.String("workspace").pipe(
  Flag.withDescription("Id of the workspace; may be left out when there is only one"),
  Flag.optional
)

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
    workspace
  },
  Effect.fn(
    function* ({ creditId, minutes, workspace }) {
      const workspaces = yield* Workspaces
      const { id } = yield* theWorkspace(workspace)
      const balance = yield* workspaces.credit(id, {
        minutes,
        creditId: Option.getOrUndefined(creditId)
      })
      yield* Console.log(`${id} has ${toMinutes(balance)} minutes.`)
    },
    withStore,
    explainErrors
  )
).pipe(Command.withDescription("Add minutes to a workspace"))

const add = Command.make(
  "add",
  { workspace },
  Effect.fn(
    function* ({ workspace }) {
      const workspaces = yield* Workspaces
      const { id } = yield* theWorkspace(workspace)
      const { secret } = yield* workspaces.addWebhookSecret(id)
      yield* Console.log(Redacted.value(secret))
    },
    withStore,
    explainErrors
  )
).pipe(
  Command.withDescription(
    "Make a secret and print it, once; from now on webhooks are signed with it too"
  )
)

const show = Command.make(
  "list",
  { workspace },
  Effect.fn(
    function* ({ workspace }) {
      const workspaces = yield* Workspaces
      const { id } = yield* theWorkspace(workspace)
      for (const secret of yield* workspaces.webhookSecrets(id)) {
        yield* Console.log(`${secret.id}  ${DateTime.formatIso(secret.createdAt)}`)
      }
    },
    withStore,
    explainErrors
  )
).pipe(Command.withDescription("List the secrets of a workspace by their ids, oldest first"))

const remove = Command.make(
  "remove",
  { id: Argument.String("id").pipe(Argument.withSchema(WebhookSecretId)), workspace },
  Effect.fn(
    function* ({ id, workspace }) {
      const workspaces = yield* Workspaces
      const owner = yield* theWorkspace(workspace)
      const isRemoved = yield* workspaces.removeWebhookSecret(owner.id, id)
      if (!isRemoved) return yield* new Refusal({ sentence: `There is no secret ${id}.` })
      yield* Console.log(`${id} signs no more webhooks.`)
    },
    withStore,
    explainErrors
  )
).pipe(Command.withDescription("Forget a secret; receivers must know another one by then"))

const secrets = Command.make("secrets").pipe(
  Command.withDescription("What the webhooks of a workspace are signed with"),
  Command.withSubcommands([add, show, remove])
)

/** The command group. */
export const workspaces = Command.make("workspaces").pipe(
  Command.withDescription("List workspaces, add minutes, sign their webhooks"),
  Command.withSubcommands([list, credit, secrets])
)
