/**
 * `verbatim workspaces`: list workspaces and add minutes.
 */
import { toMinutes } from "@verbatim/core/workspace/Balance"
import { Workspaces } from "@verbatim/core/workspace/Workspaces"
import { Console, Effect, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import { explained, theWorkspace, withStore } from "./operation.ts"

/** Ten million minutes are nineteen years: more is a typing error. */
const minutesMax = 1e7

const list = Command.make(
  "list",
  {},
  Effect.fn(
    function* () {
      const workspaces = yield* Workspaces
      for (const { balanceMillis, workspace } of yield* workspaces.accounts) {
        const minutes = toMinutes(balanceMillis).padStart(12)
        yield* Console.log(`${workspace.id}  ${minutes} minutes  ${workspace.name}`)
      }
    },
    withStore,
    explained
  )
).pipe(Command.withDescription("List workspaces with what they have left"))

const credit = Command.make(
  "credit",
  {
    minutes: Flag.Finite("minutes").pipe(
      Flag.withDescription("Minutes to add; a negative number takes some away"),
      Flag.withSchema(
        Schema.Finite.check(Schema.isBetween({ minimum: -minutesMax, maximum: minutesMax }))
      )
    ),
    workspace: Flag.String("workspace").pipe(
      Flag.withDescription("Id of the workspace; may be left out when there is only one"),
      Flag.optional
    )
  },
  Effect.fn(
    function* ({ minutes, workspace }) {
      const workspaces = yield* Workspaces
      const { id } = yield* theWorkspace(workspace)
      const balance = yield* workspaces.credit(id, minutes)
      yield* Console.log(`${id} has ${toMinutes(balance)} minutes.`)
    },
    withStore,
    explained
  )
).pipe(Command.withDescription("Add minutes to a workspace"))

/** The command group. */
export const workspaces = Command.make("workspaces").pipe(
  Command.withDescription("List workspaces and add minutes"),
  Command.withSubcommands([list, credit])
)
