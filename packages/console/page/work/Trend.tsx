/** Shows due and running tasks over time, and the jobs that ended in each hour of the last day. */
import type { components } from "@verbatim/client"
import { ColumnChart } from "../ui/Card.tsx"
import { dayMillis, formatClock, formatExact } from "../ui/Clock.ts"
import { chosenIn, Segments } from "../ui/Forms.tsx"
import { formatCount } from "../ui/Words.ts"
import { countsByStep, countsWithin, type QueueCount, type Sample } from "./QueueCounts.ts"

const range = {
  name: "range",
  values: { "10 minutes": 600_000, "1 hour": 3_600_000, "1 day": dayMillis },
  usual: 3_600_000
}

type TrendProps = Readonly<{ samples: ReadonlyArray<Sample>; current: QueueCount }>
export const Trend = ({ current, samples }: TrendProps) => {
  const millis = chosenIn(range)
  const counts = countsWithin(samples, current, millis)
  const format = millis === dayMillis ? formatExact : formatClock
  const peak = formatCount(Math.max(...counts.map(({ due, leased }) => due + leased)))
  const since = format(new Date((counts[0] ?? current).at))
  const [due, leased] = [formatCount(current.due), formatCount(current.leased)]
  return (
    <ColumnChart
      label="Queue over time"
      words={`${due} due, ${leased} running; peak ${peak} since ${since}`}
      parts={{ due: "warn", running: "busy" }}
      columns={countsByStep(counts, millis).map(({ at, count }) => ({
        at: format(new Date(at)),
        sizes: count === undefined ? [] : [count.due, count.leased]
      }))}
      ends={[`Since ${since}, peak ${peak}`, "now"]}
    >
      <div class="cluster apart">
        <div class="trend-now cluster">
          <p>
            <b class="trend-number is-warn">{due}</b> due
          </p>
          <p>
            <b class="trend-number is-busy">{leased}</b> running
          </p>
        </div>
        <Segments label="Time range" {...range} />
      </div>
    </ColumnChart>
  )
}

type Hours = components["schemas"]["WorkAnswer"]["data"]["hours"]
const beginOf = ({ from }: Hours[number]): string => formatExact(new Date(from))
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
    <ColumnChart
      label="Jobs by hour"
      words={`${words} in the last 24 hours`}
      parts={{ completed: "accent", failed: "bad" }}
      columns={hours.map((hour) => ({ at: beginOf(hour), sizes: [hour.completed, hour.failed] }))}
      ends={[beginOf(first), isCurrent ? "now" : `last counted in the hour of ${beginOf(last)}`]}
    >
      {words}
    </ColumnChart>
  )
}
