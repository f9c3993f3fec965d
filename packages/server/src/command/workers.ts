/** `verbatim workers`: shows workers, paused tasks and pending work. */
import type { Answer } from "@verbatim/client"
import { DateTime, Duration } from "effect"
import { call } from "./ApiCalls.ts"
import { makeOperatorCommand } from "./ApiFlags.ts"

type Survey = Answer<"work.survey">

type Backlog = Survey["backlog"][number]

type BacklogCounts = Pick<Backlog, "due" | "due_since" | "later" | "leased">

const since = (then: string, now: string): string => {
  const [from, to] = [DateTime.makeUnsafe(then), DateTime.makeUnsafe(now)]
  const millis = DateTime.toEpochMillis(to) - DateTime.toEpochMillis(from)
  const seconds = Math.max(0, Math.round(millis / 1_000))
  return seconds === 0 ? "0s" : Duration.format(Duration.seconds(seconds))
}

/**
 * Formats a worker as a line. What it says can be a few seconds old, because workers report at
 * intervals.
 */
const workerLine = (worker: Survey["workers"][number], now: string): string => {
  const running = Object.entries(worker.running)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => `${kind} ${count}`)
  return [
    worker.alive ? "alive " : "silent",
    worker.name,
    `up ${since(worker.started_at, worker.alive ? now : worker.seen_at)}`,
    `${running.join(", ") || "idle"} when seen ${since(worker.seen_at, now)} ago`
  ].join("  ")
}

const outageLine = ({ cause, name }: Survey["workers"][number]["outages"][number]): string =>
  `cannot use the ${name}${cause === undefined ? "" : `: ${cause}`}`

const countLine = ({ due, due_since, later, leased }: BacklogCounts, now: string): string => {
  const waiting = due_since === null ? "" : `  oldest due for ${since(due_since, now)}`
  return `${due} due  ${leased} running  ${later} later${waiting}`
}

/** Formats the pending work of one kind as lines, with its longest lanes. */
const backlogLines = (ofKind: Backlog, now: string): ReadonlyArray<string> => {
  const { kind, lane_count, lanes } = ofKind
  const others = lane_count - lanes.length
  return [
    `  ${kind.padEnd(10)}  ${countLine(ofKind, now)}`,
    ...lanes.map(
      (each) => `    ${each.lane}  workspace ${each.workspace_id}  ${countLine(each, now)}`
    ),
    ...(others > 0 ? [`    and ${others} more lanes`] : [])
  ]
}

/** Length of the day and the hour in a timestamp. */
const hourLength = "2030-01-02T03".length

const endedLine = ({ at, hours }: Pick<Survey, "at" | "hours">): string => {
  const [first, last] = [hours[0], hours.at(-1)]
  if (first === undefined || last === undefined) return "The jobs that ended are not counted yet."
  const sumOf = (field: "completed" | "failed") => hours.reduce((sum, hour) => sum + hour[field], 0)
  const sums = `${sumOf("completed")} completed, ${sumOf("failed")} failed`
  const isCurrent = last.from.slice(0, hourLength) === at.slice(0, hourLength)
  const until = isCurrent ? "" : `; last counted in the hour of ${last.from}`
  return `Jobs since ${first.from}: ${sums}${until}`
}

const linesOf = ({ at, backlog, hours, paused, workers }: Survey): ReadonlyArray<string> => [
  workers.length === 0 ? "No workers." : "Workers",
  ...workers.flatMap((worker) => [
    `  ${workerLine(worker, at)}`,
    ...worker.outages.map((outage) => `    ${outageLine(outage)}`)
  ]),
  ...(paused.length === 0 ? [] : [`Paused: ${paused.join(", ")}`]),
  backlog.length === 0 ? "No pending work." : "Pending work",
  ...backlog.flatMap((ofKind) => backlogLines(ofKind, at)),
  endedLine({ at, hours })
]

export const workers = makeOperatorCommand("workers", {
  description: "Show workers, paused tasks, pending work and ended jobs",
  flags: {},
  run: () => call(({ work }) => work.survey()),
  text: (survey) => linesOf(survey).join("\n")
})
