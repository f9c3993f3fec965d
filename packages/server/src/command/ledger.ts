/**
 * `verbatim ledger` and `verbatim usage`: charges and credits of workspaces, one by one and summed.
 */
import type { Answer } from "@verbatim/client"
import {
  judgeUsageTime,
  toUsageTime,
  UsageBy,
  usageDaysDefault,
  usageRowMax
} from "@verbatim/core/workspace"
import { DateTime, Effect, Option, Stream } from "effect"
import { Command, Flag } from "effect/cli"
import { callEach } from "./ApiCalls.ts"
import { asOperator, operatorFlags } from "./ApiFlags.ts"
import { toInstant } from "./flags.ts"
import { print, printable, theAccount, theWorkspace, workspaceFlag } from "./operation.ts"
import { Misuse } from "./Refusal.ts"

const flags = {
  workspace: workspaceFlag,
  last: Flag.Int("last").pipe(
    Flag.withDescription("The newest ones alone, as many as that; all of them if left out"),
    Flag.filter(
      (count) => count > 0,
      () => "a whole number above 0"
    ),
    Flag.withDefault(Number.POSITIVE_INFINITY)
  ),
  ...operatorFlags
}

type Line = Answer<"workspaces.ledger">["data"][number]

const shownLine = ({ at, credit_id, job_id, key_id, minutes }: Line): string =>
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
  Effect.fn(function* ({ json, last, url, workspace }) {
    const command = Effect.gen(function* () {
      const { id } = yield* theWorkspace(workspace)
      const limit = Math.min(last, usageRowMax)
      const lines = callEach(({ workspaces }) => workspaces.ledger(id, { limit }))
      yield* Stream.runForEach(Stream.take(lines, last), (line) => print(json, line, shownLine))
    })
    yield* asOperator({ url }, command)
  })
).pipe(Command.withDescription("Show each charge and each credit of a workspace, newest first"))

const toTime = (text: string): Option.Option<DateTime.Utc> =>
  toInstant(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text)

const timeFlag = (name: string, description: string) =>
  Flag.String(name).pipe(
    Flag.withDescription(description),
    Flag.filterMap(toTime, () => "a day of UTC, as 2027-01-01, or an instant with its zone"),
    Flag.optional
  )

const usageFlags = {
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
  ...operatorFlags
}

type Wishes = Command.Command.Config.Infer<typeof usageFlags>

const timeOf = Effect.fnUntraced(function* (given: Pick<Wishes, "from" | "to">) {
  const time = toUsageTime(given, yield* DateTime.now)
  const rule = judgeUsageTime(time)
  return rule === undefined
    ? time
    : yield* new Misuse({ sentence: `--to ${rule.replace("from", "--from")}.` })
})

type Row = Answer<"usage.read">["data"][number]

const shownRow = (row: Row): string => {
  const about = [row.day ?? row.workspace_id, ...(row.key_id === null ? [] : [`key ${row.key_id}`])]
  return [
    about.join("  "),
    `${row.charged_minutes.padStart(12)} minutes`,
    `${row.jobs} job${row.jobs === 1 ? "" : "s"}`,
    ...(row.credited_millis === 0 ? [] : [`credited ${row.credited_minutes}`])
  ].join("  ")
}

/** The command. */
export const usage = Command.make(
  "usage",
  usageFlags,
  Effect.fn(function* ({ by, json, url, workspace, ...given }) {
    const { from, to } = yield* timeOf(given)
    const command = Effect.gen(function* () {
      const workspace_id = Option.isNone(workspace)
        ? undefined
        : (yield* theAccount(workspace.value)).id
      const time = { from: DateTime.formatIso(from), to: DateTime.formatIso(to) }
      const query = { ...time, by, workspace_id, limit: usageRowMax }
      const rows = callEach(({ usage }) => usage.read(query))
      yield* Stream.runForEach(rows, (row) => print(json, row, shownRow))
    })
    yield* asOperator({ url }, command)
  })
).pipe(Command.withDescription("Show what was charged and credited"))
