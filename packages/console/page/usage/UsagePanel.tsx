/** Shows usage: minutes by day in a column chart, and by key or workspace in a table. */

import { useSignal } from "@preact/signals"
import { can, hasWorkspace, isOperator } from "../session/Session.ts"
import { Card, ScreenHead, Table } from "../ui/Card.tsx"
import { now } from "../ui/Clock.ts"
import { Load } from "../ui/Empty.tsx"
import { useLoaded } from "../ui/Loaded.ts"
import { Segments } from "../ui/SearchField.tsx"
import { shortId } from "../ui/Words.ts"
import { fillDays, readNames, readUsage, type UsageBy, type UsageRow } from "./UsageCalls.ts"

const ranges = [7, 30, 90] as const

const chart = { width: 720, height: 150 }

const Columns = (props: { readonly rows: ReadonlyArray<UsageRow>; readonly days: number }) => {
  const days = fillDays(props.rows, props.days, now.value)
  const most = Math.max(...days.map(({ minutes }) => minutes), 0.01)
  const step = chart.width / days.length
  const total = days.reduce((sum, { minutes }) => sum + minutes, 0)
  const jobs = days.reduce((sum, day) => sum + day.jobs, 0)
  const words = `${total.toFixed(2)} minutes charged for ${jobs} jobs in ${props.days} days`
  return (
    <figure class="stack-3">
      <figcaption>
        <b class="trend-number">{total.toFixed(2)}</b> minutes charged for {jobs}{" "}
        {jobs === 1 ? "job" : "jobs"}
      </figcaption>
      <svg
        class="chart"
        viewBox={`0 0 ${chart.width} ${chart.height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={words}
      >
        {days.map(({ day, minutes }, index) => {
          const height = minutes === 0 ? 1 : Math.max(3, (minutes / most) * (chart.height - 8))
          return (
            <rect
              key={day}
              class={minutes === 0 ? "column is-empty" : "column"}
              x={index * step + step * 0.14}
              y={chart.height - height}
              width={step * 0.72}
              height={height}
              rx={2}
            >
              <title>{`${day}: ${minutes.toFixed(2)} min`}</title>
            </rect>
          )
        })}
      </svg>
      <p class="apart hint">
        <span>{days[0]?.day}</span>
        <span>today (UTC)</span>
      </p>
    </figure>
  )
}

const idOf = ({ key_id, workspace_id }: UsageRow, by: UsageBy): string | null =>
  by === "key" ? key_id : workspace_id

interface RowsProps {
  readonly by: UsageBy
  readonly rows: ReadonlyArray<UsageRow>
  readonly names: ReadonlyMap<string, string>
}

const Rows = ({ by, names, rows }: RowsProps) =>
  rows.length === 0 ? (
    <p class="hint">No usage yet.</p>
  ) : (
    <Table
      label="Usage, as a table"
      rows={rows}
      keyOf={(row) => `${idOf(row, by)} ${row.workspace_id}`}
      columns={[
        {
          title: by === "key" ? "Key" : "Workspace",
          cell: (row) => <Name id={idOf(row, by)} names={names} none="Credits" />
        },
        { title: "Jobs", cell: ({ jobs }) => jobs, isNumber: true },
        { title: "Minutes charged", cell: (row) => row.charged_minutes, isNumber: true },
        { title: "Minutes credited", cell: (row) => row.credited_minutes, isNumber: true }
      ]}
    />
  )

/** The known names of keys or workspaces. */
export const useNames = (of: Parameters<typeof readNames>[0]): ReadonlyMap<string, string> =>
  useLoaded(JSON.stringify(of), (signal) => readNames(of, signal)).state.value.value ?? new Map()

/** Shows the usage of one workspace or of all workspaces. */
export const UsagePanel = (props: {
  readonly isOperator: boolean
  readonly workspace?: string
  readonly rowsBy: UsageBy
}) => {
  const { isOperator, rowsBy, workspace } = props
  const days = useSignal<number>(30)
  const key = `${workspace} ${rowsBy} ${days.value}`
  const read = (by: UsageBy) => (signal: AbortSignal) =>
    readUsage({ isOperator, workspace, by, days: days.value }, signal)
  const names = useNames({ isOperator, workspace, by: rowsBy })
  return (
    <>
      <Card title="By day">
        <Segments label="Days" choices={ranges} chosen={days} wordOf={(range) => `${range} days`} />
        <Load of={key} read={read("day")} lines={1} height={224}>
          {(rows) => <Columns rows={rows} days={days.value} />}
        </Load>
      </Card>
      <Card title={rowsBy === "key" ? "By key" : "By workspace"}>
        <Load of={key} read={read(rowsBy)} lines={2} height={44}>
          {(rows) => <Rows rows={rows} by={rowsBy} names={names} />}
        </Load>
      </Card>
    </>
  )
}

const views = { own: "This workspace", all: "All workspaces" } as const

export const UsageScreen = () => {
  const hasOwn = hasWorkspace.value && can("usage:read")
  const view = useSignal<keyof typeof views>("own")
  const isOwn = hasOwn && !(isOperator.value && view.value === "all")
  return (
    <>
      <ScreenHead title="Usage">
        {hasOwn && isOperator.value ? (
          <Segments
            label="Whose usage"
            choices={["own", "all"] as const}
            chosen={view}
            wordOf={(each) => views[each]}
          />
        ) : null}
      </ScreenHead>
      <UsagePanel key={String(isOwn)} isOperator={!isOwn} rowsBy={isOwn ? "key" : "workspace"} />
    </>
  )
}

/** Shows a key or a workspace by its name and id. */
export const Name = (props: {
  readonly id: string | null
  readonly names: ReadonlyMap<string, string>
  /** The text to show if there is no id. */
  readonly none: string
}) => {
  const { id, names, none } = props
  if (id === null) return <>{none}</>
  const name = names.get(id) ?? ""
  if (name === "") return <code>{id}</code>
  return (
    <>
      {name} <code class="hint">{shortId(id)}</code>
    </>
  )
}
