/**
 * `verbatim workspaces secrets`: what the webhooks of a workspace are signed with.
 */
import { Workspaces } from "@verbatim/core/services"
import { WebhookSecretId } from "@verbatim/core/workspace"
import { Console, DateTime, Effect, Option, Redacted, Schema } from "effect"
import { Argument, Command } from "effect/cli"
import { onExistingStore, theWorkspace, workspaceFlag } from "./operation.ts"
import { Refusal } from "./Refusal.ts"

/** The workspaces, and the one that a command is about. */
const lookUp = (workspace: Option.Option<string>) =>
  Effect.all({ workspaces: Workspaces, owner: theWorkspace(workspace) })

const add = Command.make(
  "add",
  { workspace: workspaceFlag },
  Effect.fn(function* ({ workspace }) {
    const { owner, workspaces } = yield* lookUp(workspace)
    const { secret } = yield* workspaces.addWebhookSecret(owner.id)
    yield* Console.log(Redacted.value(secret))
  }, onExistingStore)
).pipe(
  Command.withDescription(
    "Make a secret and print it, once; from now on webhooks are signed with it too"
  )
)

const list = Command.make(
  "list",
  { workspace: workspaceFlag },
  Effect.fn(function* ({ workspace }) {
    const { owner, workspaces } = yield* lookUp(workspace)
    for (const secret of yield* workspaces.webhookSecrets(owner.id)) {
      yield* Console.log(`${secret.id}  ${DateTime.formatIso(secret.createdAt)}`)
    }
  }, onExistingStore)
).pipe(Command.withDescription("List the secrets of a workspace by their ids, oldest first"))

const remove = Command.make(
  "remove",
  { id: Argument.String("id"), workspace: workspaceFlag },
  Effect.fn(function* (given) {
    const { owner, workspaces } = yield* lookUp(given.workspace)
    const id = Schema.decodeOption(WebhookSecretId)(given.id)
    const isRemoved =
      Option.isSome(id) && (yield* workspaces.removeWebhookSecret(owner.id, id.value))
    if (!isRemoved) return yield* new Refusal({ sentence: `There is no secret ${given.id}.` })
    yield* Console.log(`${given.id} signs no more webhooks.`)
  }, onExistingStore)
).pipe(Command.withDescription("Forget a secret; receivers must know another one by then"))

/** The command group. */
export const secrets = Command.make("secrets").pipe(
  Command.withDescription("What the webhooks of a workspace are signed with"),
  Command.withSubcommands([add, list, remove])
)
