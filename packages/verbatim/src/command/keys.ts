/**
 * `verbatim keys`: issue, list and revoke API keys.
 */

import { ApiKeys } from "@verbatim/core/services"
import { type ApiKey, ApiKeyId, KeyKind } from "@verbatim/core/workspace"
import { Console, DateTime, Effect, Option, Redacted, Stream } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { everyAccount, explainErrors, Refusal, theWorkspace, withStore } from "./operation.ts"

const create = Command.make(
  "create",
  {
    kind: Flag.Literals("kind", KeyKind.literals).pipe(
      Flag.withDescription("management may write presets; inference may not")
    ),
    workspace: Flag.String("workspace").pipe(
      Flag.withDescription("Id of the workspace; may be left out when there is only one"),
      Flag.optional
    )
  },
  Effect.fn(
    function* ({ kind, workspace }) {
      const apiKeys = yield* ApiKeys
      const { id } = yield* theWorkspace(workspace)
      const issued = yield* apiKeys.issue(id, { kind, token: Option.none() })
      yield* Console.log(Redacted.value(issued.token))
    },
    withStore,
    explainErrors
  )
).pipe(Command.withDescription("Issue a key and print it, once"))

const list = Command.make(
  "list",
  {},
  Effect.fn(
    function* () {
      const apiKeys = yield* ApiKeys
      const show = (key: ApiKey) => {
        const state = key.revokedAt === null ? "active" : "revoked"
        const created = DateTime.formatIso(key.createdAt)
        const row = [key.id, key.kind.padEnd(10), key.hint, state.padEnd(7), created]
        return Console.log([...row, `workspace ${key.workspaceId}`].join("  "))
      }
      yield* Stream.runForEach(everyAccount, ({ workspace }) =>
        Effect.flatMap(apiKeys.keys(workspace.id), (keys) =>
          Effect.forEach(keys, show, { discard: true })
        )
      )
    },
    withStore,
    explainErrors
  )
).pipe(Command.withDescription("List keys, without their secrets"))

const revoke = Command.make(
  "revoke",
  { id: Argument.String("id").pipe(Argument.withSchema(ApiKeyId)) },
  Effect.fn(
    function* ({ id }) {
      const apiKeys = yield* ApiKeys
      const isRevoked = yield* apiKeys.revoke(id)
      if (!isRevoked) return yield* new Refusal({ sentence: `There is no key ${id}.` })
      yield* Console.log(`Revoked ${id}.`)
    },
    withStore,
    explainErrors
  )
).pipe(Command.withDescription("Revoke a key for good"))

/** The command group. */
export const keys = Command.make("keys").pipe(
  Command.withDescription("Issue, list and revoke API keys"),
  Command.withSubcommands([create, list, revoke])
)
