/**
 * `verbatim workers`: who is alive, and what is owed.
 */
import { dependencyNames } from "@verbatim/core/attempt"
import {
  type Debt,
  type DebtCounts,
  type Outage,
  type SignedWorker,
  WorkerRegistry
} from "@verbatim/core/ports"
import { Presence } from "@verbatim/core/worker"
import { Console, DateTime, Duration, Effect, Option } from "effect"
import { Command } from "effect/cli"
import { onExistingStore } from "./operation.ts"

const since = (then: DateTime.Utc, now: DateTime.Utc): string =>
  Duration.format(Duration.seconds(Math.max(0, Math.round(secondsBetween(then, now)))))

const secondsBetween = (then: DateTime.Utc, now: DateTime.Utc): number =>
  (DateTime.toEpochMillis(now) - DateTime.toEpochMillis(then)) / 1_000

const workerLine = (worker: SignedWorker, now: DateTime.Utc): string => {
  const running = Object.entries(worker.running)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => `${kind} ${count}`)
  return [
    Presence.isAlive(worker, now) ? "alive " : "silent",
    worker.name,
    `seen ${since(worker.seenAt, now)} ago`,
    `up ${since(worker.startedAt, worker.seenAt)}`,
    running.length === 0 ? "idle" : running.join(", ")
  ].join("  ")
}

const outageLine = ({ cause, dependency }: Outage): string =>
  `cannot use the ${dependencyNames[dependency]}${cause === undefined ? "" : `: ${cause}`}`

const countLine = ({ due, dueSince, later, leased }: DebtCounts, now: DateTime.Utc): string => {
  const waiting = Option.match(dueSince, {
    onNone: () => "",
    onSome: (first) => `  the first for ${since(first, now)}`
  })
  return `${due} due  ${leased} under way  ${later} later${waiting}`
}

/** A kind, and below it the lanes with most that is due. */
const debtLines = (debt: Debt, now: DateTime.Utc): ReadonlyArray<string> => {
  const { kind, laneCount, lanes } = debt
  const others = laneCount - lanes.length
  return [
    `  ${kind.padEnd(10)}  ${countLine(debt, now)}`,
    ...lanes.map((each) => `    ${each.lane}  of ${each.workspaceId}  ${countLine(each, now)}`),
    ...(others > 0 ? [`    and others with less: ${others}`] : [])
  ]
}

/** The command. */
export const workers = Command.make(
  "workers",
  {},
  Effect.fn(function* () {
    const registry = yield* WorkerRegistry
    const { debts, now, workers } = yield* registry.survey
    yield* Console.log(workers.length === 0 ? "No worker is there." : "Workers")
    for (const worker of workers) {
      yield* Console.log(`  ${workerLine(worker, now)}`)
      for (const outage of worker.outages) yield* Console.log(`    ${outageLine(outage)}`)
    }
    yield* Console.log(debts.length === 0 ? "Nothing is owed." : "Owed")
    for (const line of debts.flatMap((debt) => debtLines(debt, now))) yield* Console.log(line)
  }, onExistingStore)
).pipe(Command.withDescription("Show which workers are alive, and what is owed"))
