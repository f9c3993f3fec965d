/** How much was due and how much was done, since this screen was opened. */
import { type Signal, signal } from "@preact/signals"
import { writeClock } from "../ui/Clock.ts"

interface Moment {
  readonly at: string
  readonly due: number
  readonly leased: number
}

/** Ten minutes of a look every two seconds. */
const momentMax = 300

/** Keeps the last moments. */
export const makeTrend = () => {
  const moments: Signal<ReadonlyArray<Moment>> = signal([])
  return {
    moments,
    add: (moment: Moment): void => {
      if (moments.peek().at(-1)?.at === moment.at) return
      moments.value = [...moments.peek(), moment].slice(-momentMax)
    }
  }
}

const width = 600
const height = 120

const draw = (moments: ReadonlyArray<Moment>, field: "due" | "leased", most: number): string => {
  const step = width / Math.max(1, moments.length - 1)
  const points = moments.map((moment, index) => {
    const y = height - 4 - (moment[field] / most) * (height - 12)
    return `${(index * step).toFixed(1)} ${y.toFixed(1)}`
  })
  return points.length === 1 ? `M0 ${points[0]?.split(" ")[1]}H${width}` : `M${points.join("L")}`
}

/** Shows it. */
export const Trend = ({ trend }: { readonly trend: ReturnType<typeof makeTrend> }) => {
  const moments = trend.moments.value
  const last = moments.at(-1)
  const first = moments[0]
  if (last === undefined || first === undefined) return <div class="trend" />
  const most = Math.max(...moments.flatMap(({ due, leased }) => [due, leased]))
  const since = writeClock(new Date(first.at))
  const words = `${last.due} due, ${last.leased} under a lease; at most ${most} since ${since}`
  return (
    <figure class="trend">
      <div class="trend-now">
        <p>
          <b class="trend-number is-due">{last.due}</b> due
        </p>
        <p>
          <b class="trend-number is-leased">{last.leased}</b> under a lease
        </p>
      </div>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={words}
      >
        <path class="trend-line is-due" d={draw(moments, "due", Math.max(1, most))} />
        <path class="trend-line is-leased" d={draw(moments, "leased", Math.max(1, most))} />
      </svg>
      <figcaption class="hint">
        Since {since}, at most {most} at a time
      </figcaption>
    </figure>
  )
}
