/** What is owed: of each kind how much, and in which lanes it piles up. */

import { useSignal } from "@preact/signals"
import type { components } from "@verbatim/client"
import { linkTo } from "../Router.ts"
import { Button } from "../ui/Button.tsx"
import { TablePlace } from "../ui/Card.tsx"
import { writeSpan } from "../ui/Clock.ts"
import { endOf, writeCount } from "../ui/Words.ts"

type Debt = components["schemas"]["Debt"]
type LaneDebt = components["schemas"]["LaneDebt"]

/** What workers do, in the words of the page. */
const words: Readonly<Record<string, string>> = {
  Fetch: "Fetch a recording",
  Transcribe: "Transcribe",
  Summarize: "Summarize",
  Deliver: "Deliver a webhook",
  Notify: "Tell the host of an end",
  Isolate: "Alone, after a process died with it"
}

/** A kind of work, or a task; one of a later version has its own name. */
export const kindWords = (kind: string): string => words[kind] ?? kind

/** Lanes that are shown before somebody asks for more: the first ones hold the most. */
const lanesAtFirst = 3

const sumOf = ({ due, later, leased }: Omit<LaneDebt, "lane" | "workspace_id">): number =>
  due + later + leased

interface CountsGiven {
  readonly of: Debt | LaneDebt
  /** When it was counted. */
  readonly at: string
}

const Counts = ({ at, of: { due, due_since, later, leased } }: CountsGiven) => (
  <>
    <td class="is-number">{writeCount(due)}</td>
    <td class="is-number">{writeCount(leased)}</td>
    <td class="is-number">{writeCount(later)}</td>
    <td class="is-number">
      {due_since === null ? "–" : writeSpan(Math.max(0, Date.parse(at) - Date.parse(due_since)))}
    </td>
  </>
)

interface LaneGiven {
  readonly lane: LaneDebt
  /** Of all that is owed of its kind. */
  readonly whole: number
  readonly at: string
}

const Lane = ({ at, lane, whole }: LaneGiven) => (
  <tr class="owed-lane">
    <th scope="row">
      <span class="owed-what apart">
        <span class="owed-name">{lane.lane}</span>
        {lane.workspace_id === "" ? null : (
          <a href={linkTo(`/workspaces/${lane.workspace_id}`)} title={lane.workspace_id}>
            Workspace {endOf(lane.workspace_id)}
          </a>
        )}
        <progress value={sumOf(lane)} max={whole} aria-hidden="true" />
      </span>
    </th>
    <Counts of={lane} at={at} />
  </tr>
)

const Kind = ({ at, debt }: { readonly debt: Debt; readonly at: string }) => {
  const isOpen = useSignal(false)
  const { kind, lane_count, lanes } = debt
  const shown = isOpen.value ? lanes : lanes.slice(0, lanesAtFirst)
  const unsent = lane_count - lanes.length
  return (
    <tbody>
      <tr>
        <th scope="row">{kindWords(kind)}</th>
        <Counts of={debt} at={at} />
      </tr>
      {shown.map((lane) => (
        <Lane key={`${lane.workspace_id} ${lane.lane}`} lane={lane} whole={sumOf(debt)} at={at} />
      ))}
      {lanes.length > lanesAtFirst ? (
        <tr class="owed-lane">
          <td colSpan={5}>
            <Button
              class="is-small"
              aria-expanded={isOpen.value}
              onClick={() => {
                isOpen.value = !isOpen.value
              }}
            >
              {isOpen.value ? "Show fewer" : `Show ${lanes.length - lanesAtFirst} more`}
              <span class="hidden"> to {kindWords(kind).toLowerCase()}</span>
            </Button>
            {isOpen.value && unsent > 0 ? (
              <span class="hint"> {unsent} others have less.</span>
            ) : null}
          </td>
        </tr>
      ) : null}
    </tbody>
  )
}

/** Shows it. */
export const Owed = ({ at, owed }: { readonly owed: ReadonlyArray<Debt>; readonly at: string }) =>
  owed.length === 0 ? (
    <p class="hint">Nothing is owed: every job is done.</p>
  ) : (
    <TablePlace label="What is owed, as a table">
      <thead>
        <tr>
          <th scope="col">Work, and where it goes</th>
          <th scope="col" class="is-number">
            Due
          </th>
          <th scope="col" class="is-number">
            Under a lease
          </th>
          <th scope="col" class="is-number">
            Later
          </th>
          <th scope="col" class="is-number">
            Oldest waits
          </th>
        </tr>
      </thead>
      {owed.map((debt) => (
        <Kind key={debt.kind} debt={debt} at={at} />
      ))}
    </TablePlace>
  )
