/** What was charged and credited, as the API sums it up. */
import type { components } from "@verbatim/client"
import { api, operatorApi } from "../Api.ts"
import { keysOf, nameOfKey, ownKeys } from "../keys/KeyCalls.ts"
import { managesKeys } from "../session/Session.ts"
import { now } from "../ui/Clock.ts"

/** A sum: of a day, of a key, or of a workspace. */
export type UsageRow = components["schemas"]["Usage"]

/** What the rows are about. */
export type UsageBy = "day" | "key" | "workspace"

/** Whose usage. */
export interface UsageOf {
  /** With the key of an operator; else of one's own workspace. */
  readonly isOperator: boolean
  readonly workspace?: string | undefined
  readonly by: UsageBy
  readonly days: number
}

/** More rows are on no screen. */
const rowMax = 100

const dayMillis = 86_400_000

const dayOf = (millis: number): string =>
  new Date(millis).toISOString().slice(0, "2030-01-02".length)

/** The first day that is counted, and the one after the last. */
const rangeOf = (days: number, nowMillis: number) => ({
  from: dayOf(nowMillis - (days - 1) * dayMillis),
  to: dayOf(nowMillis + dayMillis)
})

/** Reads the sums of the last days, today included. */
export const readUsage = async (
  { by, days, isOperator, workspace }: UsageOf,
  signal: AbortSignal
): Promise<ReadonlyArray<UsageRow>> => {
  const range = rangeOf(days, now.peek())
  const client = isOperator ? operatorApi : api
  const options = { by, limit: rowMax, ...range, workspace_id: workspace, signal }
  return (await client.usage.read(options)).data
}

/** Every day of a range, those without anything too, the oldest first. */
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

/** What keys or workspaces are called, as far as the session may know. */
export const readNames = async (
  { by, isOperator, workspace }: Omit<UsageOf, "days">,
  signal: AbortSignal
): Promise<ReadonlyMap<string, string>> => {
  if (by === "workspace") {
    const { data } = await operatorApi.workspaces.list({ limit: rowMax, signal })
    return new Map(data.map(({ id, name }) => [id, name]))
  }
  const isKnown = isOperator ? workspace !== undefined : managesKeys.value
  if (by !== "key" || !isKnown) return noNames
  const keys = await (workspace === undefined ? ownKeys : keysOf(workspace)).list(signal)
  return new Map(keys.map((key) => [key.id, nameOfKey(key)]))
}
