/** Shows the backlog by kind of work, and the lanes where work accumulates. */
import type { components } from "@verbatim/client"
import { linkTo } from "../Router.ts"
import { Button } from "../ui/Button.tsx"
import { Badge, ScrollTable } from "../ui/Card.tsx"
import { formatSpan } from "../ui/Clock.ts"
import { useOpening } from "../ui/Forms.tsx"
import { formatCount, shortId } from "../ui/Words.ts"
import { useNames } from "../usage/UsagePanel.tsx"
import { kindWords } from "./Blockers.tsx"

type KindBacklog = components["schemas"]["Backlog"]
type LaneBacklog = components["schemas"]["LaneBacklog"]

/** Number of lanes shown until the list is expanded. The first lanes have the most work. */
const lanesAtFirst = 3

const sumOf = ({ due, later, leased }: Omit<LaneBacklog, "lane" | "workspace_id">): number =>
  due + later + leased

interface CountsProps {
  readonly of: KindBacklog | LaneBacklog
  /** The time at which the work was counted. */
  readonly at: string
}

const Counts = ({ at, of: { due, due_since, later, leased } }: CountsProps) => (
  <>
    <td class="is-number">{formatCount(due)}</td>
    <td class="is-number">{formatCount(leased)}</td>
    <td class="is-number">{formatCount(later)}</td>
    <td class="is-number">
      {due_since === null ? "–" : formatSpan(Math.max(0, Date.parse(at) - Date.parse(due_since)))}
    </td>
  </>
)

interface LaneProps {
  readonly lane: LaneBacklog
  /** Number of all pending tasks of the same kind as the lane's tasks. */
  readonly whole: number
  readonly at: string
  readonly names: ReadonlyMap<string, string>
}

const Lane = ({ at, lane, names, whole }: LaneProps) => (
  <tr class="backlog-lane">
    <th scope="row">
      <span class="backlog-what apart">
        <span class="backlog-name">{lane.lane}</span>
        {lane.workspace_id === "" ? null : (
          <a href={linkTo(`/workspaces/${lane.workspace_id}`)} title={lane.workspace_id}>
            Workspace {names.get(lane.workspace_id) ?? shortId(lane.workspace_id)}
          </a>
        )}
        <progress value={sumOf(lane)} max={whole} aria-hidden="true" />
      </span>
    </th>
    <Counts of={lane} at={at} />
  </tr>
)

interface KindProps {
  readonly entry: KindBacklog
  readonly at: string
  readonly isPaused: boolean
  readonly names: ReadonlyMap<string, string>
}

const Kind = ({ at, entry, isPaused, names }: KindProps) => {
  const { isOpen, toggle } = useOpening()
  const { kind, lane_count, lanes } = entry
  const shown = isOpen.value ? lanes : lanes.slice(0, lanesAtFirst)
  const unsent = lane_count - lanes.length
  return (
    <tbody>
      <tr>
        <th scope="row">
          {kindWords(kind)} {isPaused ? <Badge tone="warn">Paused</Badge> : null}
        </th>
        <Counts of={entry} at={at} />
      </tr>
      {shown.map((lane) => (
        <Lane
          key={`${lane.workspace_id} ${lane.lane}`}
          lane={lane}
          whole={sumOf(entry)}
          at={at}
          names={names}
        />
      ))}
      {lanes.length > lanesAtFirst ? (
        <tr class="backlog-lane">
          <td colSpan={5}>
            <Button class="is-small" aria-expanded={isOpen.value} onClick={toggle}>
              {isOpen.value ? "Show fewer" : `Show ${lanes.length - lanesAtFirst} more`}
              <span class="hidden">: {kindWords(kind).toLowerCase()}</span>
            </Button>
            {isOpen.value && unsent > 0 ? (
              <span class="hint"> {unsent} others have fewer tasks.</span>
            ) : null}
          </td>
        </tr>
      ) : null}
    </tbody>
  )
}

const toNumbers = (title: string) => ({ title, isNumber: true })

interface BacklogProps {
  readonly kinds: ReadonlyArray<KindBacklog>
  readonly at: string
  readonly paused: ReadonlyArray<string>
}

export const Backlog = ({ at, kinds, paused }: BacklogProps) => {
  const names = useNames({ isOperator: true, by: "workspace" })
  return kinds.length === 0 ? (
    <p class="hint">The queue is empty: every job is done.</p>
  ) : (
    <ScrollTable
      label="Queue by type, as a table"
      head={[
        { title: "Type and destination" },
        ...["Due", "Running", "Scheduled", "Oldest waiting"].map(toNumbers)
      ]}
    >
      {kinds.map((entry) => (
        <Kind
          key={entry.kind}
          entry={entry}
          at={at}
          isPaused={paused.includes(entry.kind)}
          names={names}
        />
      ))}
    </ScrollTable>
  )
}
