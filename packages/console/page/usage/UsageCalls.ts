/** Reads usage from the API: charges and credits. */
import type { components } from "@verbatim/client"
import { api, operatorApi } from "../Api.ts"
import { keysOf, nameOfKey, ownKeys } from "../keys/KeyCalls.ts"
import { canManageKeys } from "../session/Session.ts"
import { now } from "../ui/Clock.ts"
import { readWorkspaces } from "../workspaces/WorkspaceCalls.ts"

/** A row with the usage totals for a day, a key or a workspace. */
export type UsageRow = components["schemas"]["Usage"]

/** How usage rows are grouped. */
export type UsageBy = "day" | "key" | "workspace"

/** Options that select the usage to read. */
export interface UsageOf {
  /** Whether to use the operator key. If not, the session's own workspace is queried. */
  readonly isOperator: boolean
  readonly workspace?: string | undefined
  readonly by: UsageBy
  readonly days: number
}

/** Maximum number of rows that a screen shows. */
const rowMax = 100

const dayMillis = 86_400_000

const dayOf = (millis: number): string =>
  new Date(millis).toISOString().slice(0, "2030-01-02".length)

/** Returns the first day of the range, and the day after its last day. */
const rangeOf = (days: number, nowMillis: number) => ({
  from: dayOf(nowMillis - (days - 1) * dayMillis),
  to: dayOf(nowMillis + dayMillis)
})

/** Reads the totals for the last few days, including today. */
export const readUsage = async (
  { by, days, isOperator, workspace }: UsageOf,
  signal: AbortSignal
): Promise<ReadonlyArray<UsageRow>> => {
  const range = rangeOf(days, now.peek())
  const client = isOperator ? operatorApi : api
  const options = { by, limit: rowMax, ...range, workspace_id: workspace, signal }
  return (await client.usage.read(options)).data
}

/** Returns every day in a range, oldest first, including days without usage. */
export const fillDays = (
  rows: ReadonlyArray<UsageRow>,
  days: number,
  nowMillis: number
): ReadonlyArray<{ readonly day: string; readonly jobs: number; readonly minutes: number }> => {
  const known = new Map(rows.map((row) => [row.day?.slice(0, "2030-01-02".length), row]))
  return Array.from({ length: days }, (_, index) => {
    const day = dayOf(nowMillis - (days - 1 - index) * dayMillis)
    const row = known.get(day)
    return { day, jobs: row?.jobs ?? 0, minutes: Number(row?.charged_minutes ?? 0) }
  })
}

const noNames: ReadonlyMap<string, string> = new Map()

/** Reads the names of keys or workspaces that the session can see. */
export const readNames = async (
  { by, isOperator, workspace }: Omit<UsageOf, "days">,
  signal: AbortSignal
): Promise<ReadonlyMap<string, string>> => {
  if (by === "workspace") {
    const { items } = await readWorkspaces(signal)
    return new Map(items.map(({ id, name }) => [id, name]))
  }
  const isKnown = isOperator ? workspace !== undefined : canManageKeys.value
  if (by !== "key" || !isKnown) return noNames
  const keys = await (workspace === undefined ? ownKeys : keysOf(workspace)).list(signal)
  return new Map(keys.map((key) => [key.id, nameOfKey(key)]))
}
