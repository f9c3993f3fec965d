/** Shows usage: minutes by day in a column chart, and by key or workspace in a table. */
import type { components } from "@verbatim/client"
import { api, operatorApi } from "../Api.ts"
import { keysOf, nameOfKey, ownKeys } from "../keys/Keys.tsx"
import { can, canManageKeys, hasWorkspace, isOperator } from "../session/Session.ts"
import { Card, ColumnChart, ScreenHead, Table } from "../ui/Card.tsx"
import { dayMillis, now } from "../ui/Clock.ts"
import { chosenIn, Segments } from "../ui/Forms.tsx"
import { Load, useLoaded } from "../ui/Loaded.tsx"
import { shortId } from "../ui/Words.ts"
import { readWorkspaces, scope } from "../workspaces/WorkspaceField.tsx"

type UsageRow = components["schemas"]["Usage"]

interface UsageOf {
  /** Whether to use the operator key. If not, the session's own workspace is queried. */
  readonly isOperator: boolean
  readonly workspace?: string | undefined
  readonly by: "day" | "key" | "workspace"
}

const rowMax = 100
const dayAfter = (days: number): string =>
  new Date(now.peek() + days * dayMillis).toISOString().slice(0, "2030-01-02".length)

const readUsage = async (
  { by, days, isOperator, workspace: workspace_id }: UsageOf & { readonly days: number },
  signal: AbortSignal
): Promise<ReadonlyArray<UsageRow>> => {
  const client = isOperator ? operatorApi : api
  const range = { from: dayAfter(1 - days), to: dayAfter(1) }
  return (await client.usage.read({ by, limit: rowMax, ...range, workspace_id, signal })).data
}

type Names = ReadonlyMap<string, string>

const readNames = async ({ by, isOperator, workspace }: UsageOf, signal: AbortSignal) => {
  if (by === "workspace") {
    const { items } = await readWorkspaces(signal)
    return new Map(items.map(({ id, name }) => [id, name]))
  }
  const isKnown = isOperator ? workspace !== undefined : canManageKeys.value
  if (by !== "key" || !isKnown) return new Map()
  const keys = await (workspace === undefined ? ownKeys : keysOf(workspace)).list(signal)
  return new Map(keys.map((key) => [key.id, nameOfKey(key)]))
}

export const useNames = (of: UsageOf): Names =>
  useLoaded(JSON.stringify(of), (signal) => readNames(of, signal)).state.value.value ?? new Map()

const range = { name: "days", values: { "7 days": 7, "30 days": 30, "90 days": 90 }, usual: 30 }

const Columns = (props: { readonly rows: ReadonlyArray<UsageRow>; readonly days: number }) => {
  const rows = new Map(props.rows.map((row) => [row.day?.slice(0, "2030-01-02".length), row]))
  // Days without usage have no row.
  const days = Array.from({ length: props.days }, (_, index) => {
    const day = dayAfter(1 + index - props.days)
    const { charged_minutes: minutes = 0, jobs = 0 } = rows.get(day) ?? {}
    return { day, jobs, minutes: Number(minutes) }
  })
  const total = days.reduce((sum, { minutes }) => sum + minutes, 0).toFixed(2)
  const jobs = days.reduce((sum, day) => sum + day.jobs, 0)
  return (
    <ColumnChart
      label="Minutes by day"
      words={`${total} minutes charged for ${jobs} jobs in ${props.days} days`}
      parts={{ minutes: "accent" }}
      columns={days.map(({ day, minutes }) => ({ at: day, sizes: [minutes] }))}
      ends={[days[0]?.day ?? "", "today (UTC)"]}
    >
      <b class="trend-number">{total}</b> minutes charged for {jobs} {jobs === 1 ? "job" : "jobs"}
    </ColumnChart>
  )
}

type NameProps = Readonly<{ id: string | null; names: Names; none: string }>
export const Name = ({ id, names, none }: NameProps) => {
  if (id === null) return <>{none}</>
  const name = names.get(id) ?? ""
  if (name === "") return <code>{id}</code>
  return (
    <>
      {name} <code class="hint">{shortId(id)}</code>
    </>
  )
}

/** When the balance of the workspace changes, its usage is read again. */
type PanelProps = UsageOf & Readonly<{ by: "key" | "workspace"; balance?: string }>
export const UsagePanel = ({ balance, by, isOperator, workspace }: PanelProps) => {
  const days = chosenIn(range)
  const key = `${workspace} ${by} ${days} ${balance}`
  const read = (by: UsageOf["by"]) => (signal: AbortSignal) =>
    readUsage({ isOperator, workspace, by, days }, signal)
  const names = useNames({ isOperator, workspace, by })
  return (
    <>
      <Card title="By day">
        <Segments label="Days" {...range} />
        <Load of={key} read={read("day")} lines={1} height={224}>
          {(rows) => <Columns rows={rows} days={days} />}
        </Load>
      </Card>
      <Card title={`By ${by}`}>
        <Load of={key} read={read(by)} lines={2} height={44}>
          {(rows) =>
            rows.length === 0 ? (
              <p class="hint">No usage yet.</p>
            ) : (
              <Table
                label="Usage, as a table"
                rows={rows}
                keyOf={(row) => `${row[`${by}_id`]} ${row.workspace_id}`}
                columns={[
                  {
                    title: by === "key" ? "Key" : "Workspace",
                    cell: (row) => <Name id={row[`${by}_id`]} names={names} none="Credits" />
                  },
                  { title: "Jobs", cell: ({ jobs }) => jobs, isNumber: true },
                  { title: "Minutes charged", cell: (row) => row.charged_minutes, isNumber: true },
                  { title: "Minutes credited", cell: (row) => row.credited_minutes, isNumber: true }
                ]}
              />
            )
          }
        </Load>
      </Card>
    </>
  )
}

export const UsageScreen = () => {
  const hasOwn = hasWorkspace.value && can("usage:read")
  const isOwn = hasOwn && !(isOperator.value && chosenIn(scope) === "all")
  return (
    <>
      <ScreenHead title="Usage">
        {hasOwn && isOperator.value ? <Segments label="Whose usage" {...scope} /> : null}
      </ScreenHead>
      <UsagePanel key={String(isOwn)} isOperator={!isOwn} by={isOwn ? "key" : "workspace"} />
    </>
  )
}
