/** Draws due and running tasks over time. */
import { useSignal } from "@preact/signals"
import type { components } from "@verbatim/client"
import type { TargetedPointerEvent } from "preact"
import { formatClock, formatExact } from "../ui/Clock.ts"
import { Segments } from "../ui/SearchField.tsx"
import { formatCount } from "../ui/Words.ts"
import { countsWithin, type QueueCount, type Range, ranges, splitAtGaps } from "./QueueCounts.ts"

const width = 600
const height = 120

interface Drawn {
  readonly counts: ReadonlyArray<QueueCount>
  readonly field: "due" | "leased"
  readonly most: number
}

/** The width of a dot, which must be visible on a phone. */
const dotWidth = 4

/**
 * Draws a line for each run of counts. A single count is drawn across the full width, or as a dot.
 */
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

const describeCount = ({ at, due, leased }: QueueCount, format: (at: Date) => string): string =>
  `${format(new Date(at))}: ${formatCount(due)} due, ${formatCount(leased)} running`

const rangeNames = Object.keys(ranges) as ReadonlyArray<Range>

interface Props {
  readonly samples: ReadonlyArray<components["schemas"]["QueueSample"]>
  readonly current: QueueCount
}

export const Trend = ({ current, samples }: Props) => {
  const range = useSignal<Range>("1 hour")
  const counts = countsWithin(samples, current, range.value)
  const { at } = counts[0] ?? current
  const most = Math.max(...counts.flatMap(({ due, leased }) => [due, leased]))
  const highest = formatCount(most)
  const format = range.value === "1 day" ? formatExact : formatClock
  const since = format(new Date(at))
  const [due, leased] = [formatCount(current.due), formatCount(current.leased)]
  const words = `${due} due, ${leased} running; peak ${highest} since ${since}`
  const drawn = { counts, most: Math.max(1, most) }
  const pointed = useSignal<QueueCount | undefined>(undefined)
  const point = ({ clientX, currentTarget }: TargetedPointerEvent<SVGSVGElement>): void => {
    const { left, width } = currentTarget.getBoundingClientRect()
    const instant = at + ((clientX - left) / width) * (current.at - at)
    pointed.value = counts.findLast((count) => count.at <= instant)
  }
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
          <span>{formatCount(drawn.most)}</span>
          <span>0</span>
        </p>
        <svg
          class="chart"
          viewBox={`0 0 ${width} ${height}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={words}
          onPointerMove={point}
          onPointerLeave={() => {
            pointed.value = undefined
          }}
        >
          <path class="trend-line is-warn" d={draw({ ...drawn, field: "due" })} />
          <path class="trend-line is-busy" d={draw({ ...drawn, field: "leased" })} />
        </svg>
      </div>
      <figcaption class="apart hint">
        <span>
          Since {since}, peak {highest}
        </span>
        <span>{pointed.value === undefined ? "now" : describeCount(pointed.value, format)}</span>
      </figcaption>
    </figure>
  )
}
