/**
 * `verbatim usage`: what workspaces were charged and credited, by day, by key or by workspace.
 */
import { Usage } from "@verbatim/core/services"
import {
  judgeUsageTime,
  toUsageTime,
  UsageBy,
  type UsageRow,
  type UsageSubject,
  usageDaysDefault,
  usageRowMax
} from "@verbatim/core/workspace"
import { Console, DateTime, Effect, Option, Stream } from "effect"
import { Command, Flag } from "effect/cli"
import { toInstant } from "./KeyFlags.ts"
import { onExistingStore, theAccount } from "./operation.ts"
import { streamRows } from "./pages.ts"
import { Misuse } from "./Refusal.ts"
import { makeSwitch } from "./SwitchFlag.ts"
import { wireForms } from "./wireForms.ts"

const toTime = (text: string): Option.Option<DateTime.Utc> =>
  toInstant(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text)

const timeFlag = (name: string, description: string) =>
  Flag.String(name).pipe(
    Flag.withDescription(description),
    Flag.filterMap(toTime, () => "a day of UTC, as 2027-01-01, or an instant with its zone"),
    Flag.optional
  )

const flags = {
  from: timeFlag("from", `First day or instant; ${usageDaysDefault} days before --to if left out`),
  to: timeFlag("to", "First day or instant that does not count any more; tomorrow if left out"),
  by: Flag.Literals("by", UsageBy.literals).pipe(
    Flag.withDescription("What each row is about"),
    Flag.withDefault("day" as const)
  ),
  workspace: Flag.String("workspace").pipe(
    Flag.withDescription("Id of one workspace; all of them if left out"),
    Flag.optional
  ),
  json: makeSwitch("json", "A JSON object on each line")
}

type Wishes = Command.Command.Config.Infer<typeof flags>

const timeOf = Effect.fnUntraced(function* (given: Pick<Wishes, "from" | "to">) {
  const time = toUsageTime(given, yield* DateTime.now)
  const rule = judgeUsageTime(time)
  return rule === undefined
    ? time
    : yield* new Misuse({ sentence: `--to ${rule.replace("from", "--from")}.` })
})

type UsageView = ReturnType<Effect.Success<typeof wireForms>["toUsageView"]>

const shownRow = (row: UsageRow, view: UsageView): string => {
  const about = [
    view.day ?? view.workspace_id,
    ...(view.key_id === null ? [] : [`key ${view.key_id}`])
  ]
  return [
    about.join("  "),
    `${view.charged_minutes.padStart(12)} minutes`,
    `${view.jobs} job${view.jobs === 1 ? "" : "s"}`,
    ...(row.creditedMillis === 0 ? [] : [`credited ${view.credited_minutes}`])
  ].join("  ")
}

/** The command. */
export const ledgerSums = Command.make(
  "usage",
  flags,
  Effect.fn(function* ({ by, json, workspace, ...given }) {
    const usage = yield* Usage
    const time = yield* timeOf(given)
    const workspaceId = Option.isNone(workspace)
      ? null
      : (yield* theAccount(workspace.value)).workspace.id
    const rows = streamRows(
      (after: UsageSubject | null) =>
        usage.read({ ...time, by, workspaceId, after, limit: usageRowMax }),
      { limit: usageRowMax, placeOf: (row) => row }
    )
    const { toUsageView } = yield* wireForms
    const show = (row: UsageRow) =>
      json ? JSON.stringify(toUsageView(row)) : shownRow(row, toUsageView(row))
    yield* Stream.runForEach(rows, (row) => Console.log(show(row)))
  }, onExistingStore)
).pipe(Command.withDescription("Show what was charged and credited"))
