/**
 * Clients that submit recordings. Each submits one, reads its job until the job has ended, and
 * reports the answers to the auditor.
 */

import { isFinished, type JobView } from "@verbatim/core/job"
import { Jobs } from "@verbatim/core/services"
import { Modifier } from "@verbatim/core/transcription"
import { Duration, Effect, Exit, Option } from "effect"
import { factsOf, type Seen, soundOf } from "../record/Facts.ts"
import { type PlannedJob, planJob } from "../world/Plan.ts"
import { askJobs, type Clients, type Key, refusalOf, stranger } from "./Clients.ts"
import { correct, isCorrected } from "./CorrectionClients.ts"
import { redeliver, remove, repeat, retry } from "./FollowUps.ts"
import { type Submitted, submit } from "./Requests.ts"

const seenOf = (view: JobView): Seen => ({
  status: view.status,
  transcription: view.transcription_status,
  webhook: view.webhook_status ?? null,
  summary: view.summary_status ?? null,
  text: view.output === undefined ? null : view.output.list.map(({ text }) => text).join(" "),
  error: view.error ?? null
})

/** Reads a job once. Returns `true` if the job has ended or no longer exists. */
export const look = Effect.fnUntraced(function* (clients: Clients, key: Key, id: string) {
  const { facts, trace } = clients.world
  const { interval, refusal, value } = yield* askJobs(clients, key, (jobs, caller) =>
    jobs.status(caller, id)
  )
  if (value !== undefined) {
    const seen = seenOf(value)
    const { status, summary, transcription, webhook } = seen
    facts.push({ _tag: "Looked", id, ...interval, seen })
    const shown = [status, transcription, webhook, summary].join(" ")
    if (clients.shown.get(id) !== shown) trace.add("client", `sees ${id}: ${shown}`)
    clients.shown.set(id, shown)
    return isFinished(value)
  }
  if (refusal === "RequestNotFound") {
    facts.push({ _tag: "Looked", id, ...interval, seen: "NotFound" })
    if (clients.shown.get(id) !== "gone") trace.add("client", `does not find ${id}`)
    clients.shown.set(id, "gone")
    return true
  }
  return false
})

/** Tries to read a job from another workspace. */
const peek = Effect.fnUntraced(function* ({ call, world }: Clients, id: string) {
  const { facts, timeline } = world
  const wanted = { id, modifier: "plain_text" }
  const status = Effect.flatMap(Jobs, (jobs) => Effect.asVoid(jobs.status(stranger, id)))
  const result = Effect.flatMap(Jobs, (jobs) => Effect.asVoid(jobs.result(stranger, wanted)))
  const history = Effect.flatMap(Jobs, (jobs) => Effect.asVoid(jobs.history(stranger, id)))
  const remove = Effect.flatMap(Jobs, (jobs) => jobs.remove(stranger, id))
  const redeliver = Effect.flatMap(Jobs, (jobs) => Effect.asVoid(jobs.redeliver(stranger, id)))
  const retry = Effect.flatMap(Jobs, (jobs) => Effect.asVoid(jobs.retry(stranger, id)))
  const operations = { status, result, history, remove, redeliver, retry }
  const chance = world.dice(`stranger at ${id}`)
  const actions = Object.entries(operations).filter(() => chance.chance(0.4))
  for (const [what, operation] of actions) {
    const beganAt = timeline.now()
    const answer = yield* call<void, unknown>(operation)
    if (answer === null || refusalOf(answer).endsWith("Error")) continue
    const outcome = Exit.isSuccess(answer) ? "the job" : refusalOf(answer)
    const interval = { beganAt, endedAt: timeline.now() }
    facts.push({ _tag: "StrangerLooked", what: `${what} of ${id}`, ...interval, answer: outcome })
  }
})

/** Reads the transcript of a finished job in one format. */
const read = Effect.fnUntraced(function* (clients: Clients, key: Key, id: string) {
  const { dice, facts } = clients.world
  const wanted = { id, modifier: dice(`form of ${id}`).pick(Modifier.literals) }
  const { value } = yield* askJobs(clients, key, (jobs, caller) => jobs.result(caller, wanted))
  if (value === undefined || value._tag === "Pending") return
  facts.push({ _tag: "ResultRead", id, body: value.rendering.body })
})

const lookMaxMillis = 8_000
const peekChance = 0.1
const lastLooks = 3
/** Reads a job until it has ended, or until the deadline. */
const watch = Effect.fnUntraced(function* (clients: Clients, key: Key, id: string) {
  const { dice, timeline } = clients.world
  const chance = dice(`watch of ${id}`)
  while (timeline.now() < clients.deadline()) {
    if (chance.chance(peekChance)) yield* peek(clients, id)
    if (yield* look(clients, key, id)) return yield* read(clients, key, id)
    yield* Effect.sleep(Duration.millis(chance.between(500, lookMaxMillis)))
  }
})

/** Whether the last read showed that the transcription or the summary failed. */
const isFailed = ({ world }: Clients, id: string): boolean => {
  const last = factsOf(world.facts, "Looked").findLast((look) => look.id === id)
  if (last === undefined || last.seen === "NotFound") return false
  return last.seen.transcription === "FAILED" || last.seen.summary?.startsWith("FAILED") === true
}

/** Watches a job until it has ended, and again after every retry and redelivery. */
const follow = Effect.fnUntraced(function* (
  clients: Clients,
  key: Key,
  {
    id,
    redeliveries,
    retries
  }: { readonly id: string; readonly redeliveries: number; readonly retries: number }
) {
  yield* watch(clients, key, id)
  for (let count = 0; count < retries && isFailed(clients, id); count++) {
    if (yield* retry(clients, key, id)) yield* watch(clients, key, id)
  }
  for (let count = 0; count < redeliveries; count++) {
    if (yield* redeliver(clients, key, id)) yield* watch(clients, key, id)
  }
})

/** Makes all of a client's requests about its accepted job. */
const attend = Effect.fnUntraced(function* (clients: Clients, { id, request }: Submitted) {
  // The first key is never revoked.
  const [key] = clients.keys
  if (key === undefined) return
  const { isRepeated, key: idempotencyKey, redeliveries, removedAfterMillis, retries } = request.job
  const repeats = isRepeated && idempotencyKey !== null ? [repeat(clients, key, request)] : []
  const removals =
    removedAfterMillis === null
      ? []
      : [remove(clients, key, { id, afterMillis: removedAfterMillis })]
  const marker = soundOf(request.job)
  const corrections = isCorrected(clients) ? [correct(clients, key, { id, marker })] : []
  const followed = { id, redeliveries: redeliveries + corrections.length, retries }
  const follows = follow(clients, key, followed)
  const actions = [follows, ...repeats, ...removals, ...corrections]
  yield* Effect.all(actions, { concurrency: "unbounded", discard: true })
  if (removals.length === 0) return
  // Each read may reach a different process.
  for (let count = 0; count < lastLooks; count++) yield* look(clients, key, id)
})

/** Runs a client until its job has ended. The client may retry its submission after a refusal. */
export const serve: (clients: Clients, job: PlannedJob) => Effect.Effect<void> = Effect.fnUntraced(
  function* (clients, job) {
    yield* Effect.sleep(Duration.millis(job.atMillis))
    const submitted = yield* submit(clients, job)
    if (Option.isSome(submitted)) return yield* attend(clients, submitted.value)
    if (!clients.world.faults.strikes("client retries", "client", job.marker)) return
    const number = clients.nextNumber()
    const again = planJob(clients.world.dice(`job ${number}`), { number, atMillis: 500 })
    const { isNeighbours = false } = job
    yield* serve(clients, { ...again, isNeighbours })
  }
)
