/**
 * `verbatim ledger`: what changed the balance of a workspace, line by line.
 */
import { Usage } from "@verbatim/core/services"
import { usageRowMax } from "@verbatim/core/workspace"
import { Console, Effect, Option, Stream } from "effect"
import { Command, Flag } from "effect/cli"
import { onExistingStore, printable, theWorkspace, workspaceFlag } from "./operation.ts"
import { streamRows } from "./pages.ts"
import { makeSwitch } from "./SwitchFlag.ts"
import { wireForms } from "./wireForms.ts"

const flags = {
  workspace: workspaceFlag,
  last: Flag.Int("last").pipe(
    Flag.withDescription("The newest ones alone, as many as that; all of them if left out"),
    Flag.filter(
      (count) => count > 0,
      () => "a whole number above 0"
    ),
    Flag.optional
  ),
  json: makeSwitch("json", "A JSON object on each line")
}

type LedgerView = ReturnType<Effect.Success<typeof wireForms>["toLedgerView"]>

const shownLine = ({ at, credit_id, job_id, key_id, minutes }: LedgerView): string =>
  [
    at,
    `${minutes.padStart(12)} minutes`,
    job_id === null ? `credit ${printable(credit_id ?? "")}` : `job ${job_id}`,
    ...(key_id === null ? [] : [`key ${key_id}`])
  ].join("  ")

/** The command. */
export const ledger = Command.make(
  "ledger",
  flags,
  Effect.fn(function* ({ json, last, workspace }) {
    const usage = yield* Usage
    const { id: workspaceId } = yield* theWorkspace(workspace)
    const limit = Math.min(
      usageRowMax,
      Option.getOrElse(last, () => usageRowMax)
    )
    const lines = streamRows(
      (before: number | null) => usage.ledger({ workspaceId, before, limit }),
      { limit, placeOf: ({ place }) => place }
    )
    const { toLedgerView } = yield* wireForms
    yield* lines.pipe(
      Stream.take(Option.getOrElse(last, () => Number.POSITIVE_INFINITY)),
      Stream.map(toLedgerView),
      Stream.runForEach((view) => Console.log(json ? JSON.stringify(view) : shownLine(view)))
    )
  }, onExistingStore)
).pipe(Command.withDescription("Show each charge and each credit of a workspace, newest first"))
