/**
 * What clients want of accepted jobs: the same answer again, the webhook once more, another run of
 * what failed, or deletion.
 */
import { Jobs } from "@verbatim/core/services"
import type { Principal } from "@verbatim/core/workspace"
import { Duration, Effect, Exit } from "effect"
import { asBearer, type Clients, type Key, type Request, refusalOf } from "./Clients.ts"
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

/** Something that a client wants of a job, and asks for until an answer settles it. */
interface Wish {
  readonly fact: "Redelivery" | "Retry"
  /** Names its chances. */
  readonly name: string
  readonly text: string
  readonly ask: (jobs: Jobs["Service"], principal: Principal) => Effect.Effect<unknown, unknown>
  /** What the answer is called when it is no refusal. */
  readonly granted: string
  /** The refusals that settle it. */
  readonly settledBy: ReadonlyArray<string>
}

/** The answer that settled a wish; none when the deadline came first. */
const insist = Effect.fnUntraced(function* (
  clients: Clients,
  key: Key,
  { id, wish }: { readonly id: string; readonly wish: Wish }
) {
  const { dice, facts, timeline, trace } = clients.world
  const chance = dice(`${wish.name} of ${id}`)
  while (timeline.now() < clients.deadline()) {
    const beganAt = timeline.now()
    const told = yield* asBearer(clients, key, {
      question: (principal) => Effect.flatMap(Jobs, (jobs) => wish.ask(jobs, principal))
    })
    const refusal = told === null ? "no answer" : refusalOf(told)
    const answer = refusal === "" ? wish.granted : refusal
    facts.push({ _tag: wish.fact, id, beganAt, endedAt: timeline.now(), answer })
    trace.add("client", `${wish.text}: ${answer}`)
    if (answer === wish.granted || wish.settledBy.includes(answer)) return answer
    yield* Effect.sleep(Duration.millis(chance.below(pauseMaxMillis)))
  }
  return undefined
})

/** Asks for another run of a failed job until there is an answer; `true` when it runs. */
export const retry = Effect.fnUntraced(function* (clients: Clients, key: Key, id: string) {
  const wish: Wish = {
    fact: "Retry",
    name: "retry",
    text: `wants ${id} to run again`,
    ask: (jobs, principal) => jobs.retry(principal, id),
    granted: "it runs",
    // `NotFailed`: it may run already, by a wish without an answer.
    settledBy: ["WebhookPending", "NotFailed", "RequestNotFound", "MediaExpired"]
  }
  const answer = yield* insist(clients, key, { id, wish })
  return answer === "it runs" || answer === "WebhookPending" || answer === "NotFailed"
})

/** Asks for the webhook once more until there is an answer; `true` when it is on its way. */
export const redeliver = Effect.fnUntraced(function* (clients: Clients, key: Key, id: string) {
  const wish: Wish = {
    fact: "Redelivery",
    name: "redelivery",
    text: `wants the webhook of ${id} again`,
    ask: (jobs, principal) => jobs.redeliver(principal, id),
    granted: "on its way",
    settledBy: ["WebhookPending", "RequestNotFound", "CallbackMissing"]
  }
  const answer = yield* insist(clients, key, { id, wish })
  return answer === "on its way" || answer === "WebhookPending"
})
