/**
 * `verbatim ledger` and `verbatim usage`: show charges and credits of workspaces, as single entries
 * and as totals.
 */
import type { Answer } from "@verbatim/client"
import {
  checkPeriod,
  toUsageTime,
  UsageBy,
  usageDaysDefault,
  usageRowMax
} from "@verbatim/core/workspace"
import { DateTime, Effect, Option, Stream } from "effect"
import { type Command, Flag } from "effect/cli"
import { callEach, callUpTo } from "./ApiCalls.ts"
import { makeOperatorCommand } from "./ApiFlags.ts"
import { countFlag, optional, toTime } from "./flags.ts"
import {
  anyWorkspaceFlag,
  findAccount,
  findWorkspace,
  listAccounts,
  printable,
  workspaceFlag
} from "./operation.ts"
import { misuse } from "./Refusal.ts"

type Line = Answer<"workspaces.ledger">["data"][number]

const rowOf = ({ at, credit_id, job_id, key_id, minutes }: Line) => ({
  minutes,
  time: at,
  for: job_id === null ? `credit ${printable(credit_id ?? "")}` : `job ${job_id}`,
  key: key_id ?? ""
})

export const ledger = makeOperatorCommand("ledger", {
  description: "List charges and credits of a workspace, newest first",
  flags: { workspace: workspaceFlag, last: countFlag("last") },
  run: ({ last, workspace }) =>
    Stream.unwrap(
      Effect.map(findWorkspace(workspace), ({ id }) =>
        callUpTo(last, ({ workspaces }, limit) => workspaces.ledger(id, { limit }), usageRowMax)
      )
    ),
  text: { row: rowOf }
})

const timeRule = () => "a UTC day such as 2027-01-01, or a timestamp with a time zone"

const timeFlag = (name: string) => Flag.String(name).pipe(Flag.filterMap(toTime, timeRule))

const usageFlags = {
  from: optional(
    timeFlag("from"),
    `Start of the range (default: ${usageDaysDefault} days before --to)`
  ),
  to: optional(timeFlag("to"), "End of the range, exclusive (default: tomorrow)"),
  by: Flag.Literals("by", UsageBy.literals).pipe(
    Flag.withDescription("Show one total per day, key or workspace"),
    Flag.withDefault("day" as const)
  ),
  workspace: anyWorkspaceFlag
}

type FlagValues = Command.Command.Config.Infer<typeof usageFlags>

const timeOf = Effect.fnUntraced(function* ({ from, to }: Pick<FlagValues, "from" | "to">) {
  const given = { from: Option.fromUndefinedOr(from), to: Option.fromUndefinedOr(to) }
  const time = toUsageTime(given, yield* DateTime.now)
  const rule = checkPeriod(time)
  return rule === undefined ? time : yield* misuse(`--to ${rule.replace("from", "--from")}.`)
})

type Row = Answer<"usage.read">["data"][number]

/** A row of a table, with the name of its workspace if it has one. */
interface NamedRow {
  readonly row: Row
  readonly name: string | undefined
}

/** Reads the names of all workspaces, keyed by id. */
const readNames = Effect.map(
  Stream.runCollect(listAccounts),
  (accounts) => new Map(accounts.map(({ id, name }) => [id, name]))
)

const usageRowOf = ({ name, row }: NamedRow) => ({
  day: row.day ?? "",
  name: printable(name ?? ""),
  minutes: row.charged_minutes,
  jobs: `${row.jobs}`,
  credited: row.credited_millis === 0 ? "" : row.credited_minutes,
  workspace: row.day === null ? (row.workspace_id ?? "") : "",
  key: row.key_id ?? ""
})

export const usage = makeOperatorCommand("usage", {
  description: "Show charged and credited minutes",
  flags: usageFlags,
  run: ({ by, workspace, ...given }) =>
    Stream.unwrap(
      Effect.gen(function* () {
        const { from, to } = yield* timeOf(given)
        const workspace_id =
          workspace === undefined ? undefined : (yield* findAccount(workspace)).id
        const time = { from: DateTime.formatIso(from), to: DateTime.formatIso(to) }
        const query = { ...time, by, workspace_id, limit: usageRowMax }
        const names = by === "workspace" ? yield* readNames : new Map<string | null, string>()
        return Stream.map(
          callEach(({ usage }) => usage.read(query)),
          (row): NamedRow => ({ row, name: names.get(row.workspace_id) })
        )
      })
    ),
  answer: ({ row }) => row,
  text: { row: usageRowOf }
})
