/**
 * What clients want of accepted jobs: the same answer again, the webhook once more, another run of
 * what failed, or deletion.
 */
import { Jobs } from "@verbatim/core/services"
import { Duration, Effect, Exit } from "effect"
import { asBearer, type Clients, type Key, refusalOf } from "./Clients.ts"
import type { Request } from "./Request.ts"
import { send } from "./Requests.ts"

/** Between two tries of a client that got no answer. */
const pauseMaxMillis = 5_000

const repeatMaxMillis = 60_000

/** Sends an accepted request again: as it was, and with another parameter. */
export const repeat = Effect.fnUntraced(function* (clients: Clients, key: Key, request: Request) {
  const { marker } = request.job
  const chance = clients.world.dice(`repeats of ${marker}`)
  for (const isOther of [chance.chance(0.3), chance.chance(0.7)]) {
    yield* Effect.sleep(Duration.millis(chance.below(repeatMaxMillis)))
    yield* send(clients, request, { key, isOther })
  }
})

/** Deletes a job, again and again until the answer is that it is gone. */
export const remove = Effect.fnUntraced(function* (
  clients: Clients,
  key: Key,
  { afterMillis, id }: { readonly id: string; readonly afterMillis: number }
) {
  const { dice, facts, timeline, trace } = clients.world
  const chance = dice(`deletion of ${id}`)
  yield* Effect.sleep(Duration.millis(afterMillis))
  while (timeline.now() < clients.deadline()) {
    const beganAt = timeline.now()
    trace.add("client", `deletes ${id}`)
    clients.removals.add(id)
    const answer = yield* asBearer(clients, key, {
      question: (principal) => Effect.flatMap(Jobs, (jobs) => jobs.remove(principal, id))
    })
    const isGone =
      answer !== null && (Exit.isSuccess(answer) || refusalOf(answer) === "RequestNotFound")
    facts.push({ _tag: "Removed", id, beganAt, endedAt: timeline.now(), isAnswered: isGone })
    trace.add("client", isGone ? `is told that ${id} is gone` : `does not know of ${id}`)
    if (isGone) return
    yield* Effect.sleep(Duration.millis(chance.below(pauseMaxMillis)))
  }
})

/** Asks for another run of a failed job until there is an answer; `true` when it runs. */
export const retry = Effect.fnUntraced(function* (clients: Clients, key: Key, id: string) {
  const { dice, facts, mark, timeline, trace } = clients.world
  const chance = dice(`retry of ${id}`)
  while (timeline.now() < clients.deadline()) {
    const beganAt = timeline.now()
    const told = yield* asBearer(clients, key, {
      question: (principal) => Effect.flatMap(Jobs, (jobs) => jobs.retry(principal, id))
    })
    const refusal = told === null ? "no answer" : refusalOf(told)
    const answer = refusal === "" ? "it runs" : refusal
    facts.push({ _tag: "Retry", id, beganAt, endedAt: timeline.now(), answer })
    trace.add("client", `wants ${id} to run again: ${answer}`)
    if (answer === "it runs") mark("a failed job was run again")
    if (answer === "it runs" || answer === "WebhookPending") return true
    // It may run already, by a wish without an answer.
    if (answer === "NotFailed") return true
    if (answer === "RequestNotFound" || answer === "MediaExpired") return false
    yield* Effect.sleep(Duration.millis(chance.below(pauseMaxMillis)))
  }
  return false
})

/** Asks for the webhook once more until there is an answer; `true` when it is on its way. */
export const redeliver = Effect.fnUntraced(function* (clients: Clients, key: Key, id: string) {
  const { dice, facts, timeline, trace } = clients.world
  const chance = dice(`redelivery of ${id}`)
  while (timeline.now() < clients.deadline()) {
    const beganAt = timeline.now()
    const told = yield* asBearer(clients, key, {
      question: (principal) => Effect.flatMap(Jobs, (jobs) => jobs.redeliver(principal, id))
    })
    const refusal = told === null ? "no answer" : refusalOf(told)
    const answer = refusal === "" ? "on its way" : refusal
    facts.push({ _tag: "Redelivery", id, beganAt, endedAt: timeline.now(), answer })
    trace.add("client", `wants the webhook of ${id} again: ${answer}`)
    if (answer === "on its way" || answer === "WebhookPending") return true
    if (answer === "RequestNotFound" || answer === "CallbackMissing") return false
    yield* Effect.sleep(Duration.millis(chance.below(pauseMaxMillis)))
  }
  return false
})
