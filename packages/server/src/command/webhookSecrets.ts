/**
 * `verbatim workspaces secrets`: what the webhooks of a workspace are signed with.
 */
import { Workspaces } from "@verbatim/core/services"
import { WebhookSecretId, WorkspaceId } from "@verbatim/core/workspace"
import { Console, DateTime, Effect, Option, Redacted, Schema } from "effect"
import { Argument, Command } from "effect/cli"
import { withOperated } from "./ApiFlags.ts"
import { jsonFlag, print, theWorkspace, workspaceFlag } from "./operation.ts"
import { Refusal } from "./Refusal.ts"

/** The workspaces, and the one that a command is about. */
const lookUp = Effect.fnUntraced(function* (workspace: Option.Option<string>) {
  const { id } = yield* theWorkspace(workspace)
  return { workspaces: yield* Workspaces, ownerId: WorkspaceId.make(id) }
})

const add = Command.make(
  "add",
  { workspace: workspaceFlag, json: jsonFlag },
  Effect.fn(function* ({ json, workspace }) {
    const { ownerId, workspaces } = yield* lookUp(workspace)
    const { id, secret } = yield* workspaces.addWebhookSecret(ownerId)
    yield* print(json, { id, secret: Redacted.value(secret) }, (added) => added.secret)
  }, withOperated)
).pipe(
  Command.withDescription(
    "Make a secret and print it, once; from now on webhooks are signed with it too"
  )
)

const list = Command.make(
  "list",
  { workspace: workspaceFlag, json: jsonFlag },
  Effect.fn(function* ({ json, workspace }) {
    const { ownerId, workspaces } = yield* lookUp(workspace)
    for (const secret of yield* workspaces.webhookSecrets(ownerId)) {
      const view = { id: secret.id, created_at: DateTime.formatIso(secret.createdAt) }
      yield* print(json, view, ({ created_at, id }) => `${id}  ${created_at}`)
    }
  }, withOperated)
).pipe(Command.withDescription("List the secrets of a workspace by their ids, oldest first"))

const remove = Command.make(
  "remove",
  { id: Argument.String("id"), workspace: workspaceFlag },
  Effect.fn(function* (given) {
    const { ownerId, workspaces } = yield* lookUp(given.workspace)
    const id = Schema.decodeOption(WebhookSecretId)(given.id)
    const isRemoved =
      Option.isSome(id) && (yield* workspaces.removeWebhookSecret(ownerId, id.value))
    if (!isRemoved) return yield* new Refusal({ sentence: `There is no secret ${given.id}.` })
    yield* Console.log(`${given.id} signs no more webhooks.`)
  }, withOperated)
).pipe(Command.withDescription("Forget a secret; receivers must know another one by then"))

/** The command group. */
export const secrets = Command.make("secrets").pipe(
  Command.withDescription("What the webhooks of a workspace are signed with"),
  Command.withSubcommands([add, list, remove])
)
