/** Draws due and running tasks over time, and the jobs that ended in each hour of the last day. */
import { useSignal } from "@preact/signals"
import type { components } from "@verbatim/client"
import type { TargetedPointerEvent } from "preact"
import { ColumnChart, Table } from "../ui/Card.tsx"
import { formatClock, formatExact } from "../ui/Clock.ts"
import { Segments } from "../ui/Forms.tsx"
import { formatCount } from "../ui/Words.ts"
import { countsWithin, type QueueCount, type Range, ranges, splitAtGaps } from "./QueueCounts.ts"

const width = 600
const height = 120
type Drawn = Readonly<{ counts: ReadonlyArray<QueueCount>; field: "due" | "leased"; most: number }>

/** The width of a dot, which must be visible on a phone. */
const dotWidth = 4

/** A single count is drawn across the full width, or as a dot. */
const draw = ({ field, counts, most }: Drawn): string => {
  const from = counts[0]?.at ?? 0
  const span = Math.max(1, (counts.at(-1)?.at ?? from) - from)
  const across = ({ at }: QueueCount) => ((at - from) / span) * width
  const down = (count: QueueCount) => height - 4 - (count[field] / most) * (height - 12)
  // The line has steps, because counts are whole numbers and nothing was counted between them.
  const point = (count: QueueCount, index: number) => {
    const [x, y] = [across(count).toFixed(1), down(count).toFixed(1)]
    return index === 0 ? `M${x} ${y}` : `H${x}V${y}`
  }
  const dash = counts.length === 1 ? `h${width}` : `m${-dotWidth / 2} 0h${dotWidth}`
  return splitAtGaps(counts)
    .map((run) => `${run.map(point).join("")}${run.length === 1 ? dash : ""}`)
    .join("")
}

const rangeNames = Object.keys(ranges) as ReadonlyArray<Range>

interface Props {
  readonly samples: ReadonlyArray<components["schemas"]["QueueSample"]>
  readonly current: QueueCount
}

export const Trend = ({ current, samples }: Props) => {
  const range = useSignal<Range>("1 hour")
  const pointed = useSignal<QueueCount | undefined>(undefined)
  const counts = countsWithin(samples, current, range.value)
  const format = range.value === "1 day" ? formatExact : formatClock
  const highest = Math.max(...counts.flatMap(({ due, leased }) => [due, leased]))
  const most = Math.max(1, highest)
  const point = ({ clientX, currentTarget }: TargetedPointerEvent<SVGSVGElement>): void => {
    const { left, width } = currentTarget.getBoundingClientRect()
    const [from = 0, to = 0] = [counts[0]?.at, counts.at(-1)?.at]
    const instant = from + ((clientX - left) / width) * (to - from)
    pointed.value = counts.findLast((count) => count.at <= instant)
  }
  const since = format(new Date((counts[0] ?? current).at))
  const [due, leased] = [formatCount(current.due), formatCount(current.leased)]
  const shown = pointed.value
  return (
    <figure class="trend stack-2">
      <div class="trend-head cluster">
        <div class="trend-now cluster">
          <p>
            <b class="trend-number is-warn">{due}</b> due
          </p>
          <p>
            <b class="trend-number is-busy">{leased}</b> running
          </p>
        </div>
        <Segments label="Time range" choices={rangeNames} chosen={range} wordOf={(each) => each} />
      </div>
      <div class="trend-plot">
        <p class="trend-axis hint" aria-hidden="true">
          <span>{formatCount(most)}</span>
          <span>0</span>
        </p>
        <svg
          class="chart"
          viewBox={`0 0 ${width} ${height}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`${due} due, ${leased} running; peak ${formatCount(highest)} since ${since}`}
          onPointerMove={point}
          onPointerLeave={() => {
            pointed.value = undefined
          }}
        >
          <path class="trend-line is-warn" d={draw({ counts, most, field: "due" })} />
          <path class="trend-line is-busy" d={draw({ counts, most, field: "leased" })} />
        </svg>
      </div>
      <figcaption class="apart hint">
        <span>
          Since {since}, peak {formatCount(highest)}
        </span>
        <span>
          {shown === undefined
            ? "now"
            : `${format(new Date(shown.at))}: ${formatCount(shown.due)} due, ${formatCount(
                shown.leased
              )} running`}
        </span>
      </figcaption>
    </figure>
  )
}

type Hours = components["schemas"]["WorkAnswer"]["data"]["hours"]
const beginOf = ({ from }: Hours[number]): string => formatExact(new Date(from))

/** Length of the day and the hour in a timestamp. */
const hourLength = "2030-01-02T03".length

type EndedJobsProps = Readonly<{ hours: Hours; at: string }>
export const EndedJobs = ({ at, hours }: EndedJobsProps) => {
  const [first, last] = [hours[0], hours.at(-1)]
  if (first === undefined || last === undefined) {
    return <p class="hint">The jobs that ended are not counted yet.</p>
  }
  const isCurrent = last.from.slice(0, hourLength) === at.slice(0, hourLength)
  const sumOf = (field: "completed" | "failed"): string =>
    formatCount(hours.reduce((sum, hour) => sum + hour[field], 0))
  const words = `${sumOf("completed")} completed, ${sumOf("failed")} failed`
  return (
    <figure class="stack-3">
      <figcaption>{words}</figcaption>
      <ColumnChart
        words={`${words} in the last 24 hours`}
        columns={hours.map((hour) => ({
          title: `From ${beginOf(hour)}: ${hour.completed} completed, ${hour.failed} failed`,
          size: hour.completed,
          badSize: hour.failed
        }))}
      />
      <p class="apart hint">
        <span>{beginOf(first)}</span>
        <span>{isCurrent ? "now" : `last counted in the hour of ${beginOf(last)}`}</span>
      </p>
      <details>
        <summary>Jobs by hour, as a table</summary>
        <Table
          label="Jobs by hour"
          rows={hours.toReversed()}
          keyOf={({ from }) => from}
          columns={[
            { title: "From", cell: beginOf },
            { title: "Completed", cell: ({ completed }) => formatCount(completed), isNumber: true },
            { title: "Failed", cell: ({ failed }) => formatCount(failed), isNumber: true }
          ]}
        />
      </details>
    </figure>
  )
}
