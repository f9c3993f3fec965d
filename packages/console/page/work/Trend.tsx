/** Draws how much was due and how much was done over a while. */
import { useSignal } from "@preact/signals"
import type { components } from "@verbatim/client"
import { writeClock, writeExact } from "../ui/Clock.ts"
import { Segments } from "../ui/SearchField.tsx"
import { writeCount } from "../ui/Words.ts"
import { type Moment, momentsOf, type Range, ranges, stretchesOf } from "./QueueMoments.ts"

const width = 600
const height = 120

interface Drawn {
  readonly moments: ReadonlyArray<Moment>
  readonly field: "due" | "leased"
  readonly most: number
}

/** So wide that it is seen, on a phone too. */
const dotWidth = 4

/** A line for each stretch; a lone moment is as wide as the picture, or a dot. */
const draw = ({ field, moments, most }: Drawn): string => {
  const from = moments[0]?.at ?? 0
  const span = Math.max(1, (moments.at(-1)?.at ?? from) - from)
  const across = ({ at }: Moment) => ((at - from) / span) * width
  const down = (moment: Moment) => height - 4 - (moment[field] / most) * (height - 12)
  // In steps: nothing was counted between two moments, and nobody owes half a task.
  const point = (moment: Moment, place: number) => {
    const [x, y] = [across(moment).toFixed(1), down(moment).toFixed(1)]
    return place === 0 ? `M${x} ${y}` : `H${x}V${y}`
  }
  const dash = moments.length === 1 ? `h${width}` : `m${-dotWidth / 2} 0h${dotWidth}`
  return stretchesOf(moments)
    .map((stretch) => `${stretch.map(point).join("")}${stretch.length === 1 ? dash : ""}`)
    .join("")
}

const rangeNames = Object.keys(ranges) as ReadonlyArray<Range>

interface Given {
  readonly samples: ReadonlyArray<components["schemas"]["QueueSample"]>
  readonly seen: ReadonlyArray<Moment>
}

/** Shows it. */
export const Trend = ({ samples, seen }: Given) => {
  const range = useSignal<Range>("1 hour")
  const moments = momentsOf(samples, seen, range.value)
  const last = moments.at(-1)
  const first = moments[0]
  if (last === undefined || first === undefined) return <div class="trend stack-2" />
  const most = Math.max(...moments.flatMap(({ due, leased }) => [due, leased]))
  const highest = writeCount(most)
  const since = (range.value === "1 day" ? writeExact : writeClock)(new Date(first.at))
  const [due, leased] = [writeCount(last.due), writeCount(last.leased)]
  const words = `${due} due, ${leased} under a lease; at most ${highest} since ${since}`
  const drawn = { moments, most: Math.max(1, most) }
  return (
    <figure class="trend stack-2">
      <div class="trend-head cluster">
        <div class="trend-now">
          <p>
            <b class="trend-number is-due">{due}</b> due
          </p>
          <p>
            <b class="trend-number is-leased">{leased}</b> under a lease
          </p>
        </div>
        <Segments
          label="How far back"
          choices={rangeNames}
          chosen={range}
          wordOf={(each) => each}
        />
      </div>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={words}
      >
        <path class="trend-line is-due" d={draw({ ...drawn, field: "due" })} />
        <path class="trend-line is-leased" d={draw({ ...drawn, field: "leased" })} />
      </svg>
      <figcaption class="hint">
        Since {since}, at most {highest} at a time
      </figcaption>
    </figure>
  )
}
