/** Client requests about accepted jobs: repeats, redeliveries, retries and deletions. */
import type { Jobs } from "@verbatim/core/services"
import type { Principal } from "@verbatim/core/workspace"
import { Duration, Effect } from "effect"
import { askJobs, type Clients, type Key, type Request } from "./Clients.ts"
import { send } from "./Requests.ts"

/** A client's maximum pause after an unanswered call. */
const pauseMaxMillis = 5_000

const repeatMaxMillis = 60_000

/** Repeats an accepted request, once unchanged and once with a changed parameter. */
export const repeat = Effect.fnUntraced(function* (clients: Clients, key: Key, request: Request) {
  const { marker } = request.job
  const chance = clients.world.dice(`repeats of ${marker}`)
  for (const isOther of [chance.chance(0.3), chance.chance(0.7)]) {
    yield* Effect.sleep(Duration.millis(chance.below(repeatMaxMillis)))
    yield* send(clients, request, { key, isOther })
  }
})

/** Requests a deletion until a response reports that the job no longer exists. */
export const remove = Effect.fnUntraced(function* (
  clients: Clients,
  key: Key,
  { afterMillis, id }: { readonly id: string; readonly afterMillis: number }
) {
  const { dice, facts, timeline, trace } = clients.world
  const chance = dice(`deletion of ${id}`)
  yield* Effect.sleep(Duration.millis(afterMillis))
  while (timeline.now() < clients.deadline()) {
    trace.add("client", `deletes ${id}`)
    clients.removals.add(id)
    const { interval, refusal } = yield* askJobs(clients, key, (jobs, caller) =>
      jobs.remove(caller, id)
    )
    const isGone = refusal === "" || refusal === "RequestNotFound"
    facts.push({ _tag: "Removed", id, ...interval, isAnswered: isGone })
    trace.add("client", isGone ? `is told that ${id} is gone` : `does not know of ${id}`)
    if (isGone) return
    yield* Effect.sleep(Duration.millis(chance.below(pauseMaxMillis)))
  }
})

/** A request about a job, which is repeated until its outcome is known. */
interface FollowUpSpec {
  readonly fact: "Redelivery" | "Retry"
  /** The name of the random stream for the request. */
  readonly name: string
  readonly text: string
  readonly call: (jobs: Jobs["Service"], principal: Principal) => Effect.Effect<unknown, unknown>
  /** The text of a successful response. */
  readonly granted: string
  /** The refusals after which the request is not repeated. */
  readonly settledBy: ReadonlyArray<string>
}

/**
 * Repeats a request until its outcome is known. Returns the response, or none after the deadline.
 */
const repeatUntilSettled = Effect.fnUntraced(function* (
  clients: Clients,
  key: Key,
  { id, followUp }: { readonly id: string; readonly followUp: FollowUpSpec }
) {
  const { dice, facts, timeline, trace } = clients.world
  const chance = dice(`${followUp.name} of ${id}`)
  while (timeline.now() < clients.deadline()) {
    const { interval, refusal } = yield* askJobs(clients, key, followUp.call)
    const answer = refusal === "" ? followUp.granted : refusal
    facts.push({ _tag: followUp.fact, id, ...interval, answer })
    trace.add("client", `${followUp.text}: ${answer}`)
    if (answer === followUp.granted || followUp.settledBy.includes(answer)) return answer
    yield* Effect.sleep(Duration.millis(chance.below(pauseMaxMillis)))
  }
  return undefined
})

/**
 * Requests a retry of a failed job until there is a response. Returns `true` if the job runs again.
 */
export const retry = Effect.fnUntraced(function* (clients: Clients, key: Key, id: string) {
  const followUp: FollowUpSpec = {
    fact: "Retry",
    name: "retry",
    text: `wants ${id} to run again`,
    call: (jobs, principal) => jobs.retry(principal, id),
    granted: "it runs",
    // After `NotFailed`, an earlier request without a response may have restarted the job.
    settledBy: ["WebhookPending", "NotFailed", "RequestNotFound", "MediaExpired"]
  }
  const answer = yield* repeatUntilSettled(clients, key, { id, followUp })
  return answer === "it runs" || answer === "WebhookPending" || answer === "NotFailed"
})

/** Requests a redelivery until there is a response. Returns `true` if the redelivery is pending. */
export const redeliver = Effect.fnUntraced(function* (clients: Clients, key: Key, id: string) {
  const followUp: FollowUpSpec = {
    fact: "Redelivery",
    name: "redelivery",
    text: `wants the webhook of ${id} again`,
    call: (jobs, principal) => jobs.redeliver(principal, id),
    granted: "on its way",
    settledBy: ["WebhookPending", "RequestNotFound", "CallbackMissing"]
  }
  const answer = yield* repeatUntilSettled(clients, key, { id, followUp })
  return answer === "on its way" || answer === "WebhookPending"
})
