/**
 * Submits a recording once. With an idempotency key, the submission is repeated until the client
 * knows the outcome.
 */

import { Duration, Effect, Option } from "effect"
import type { PlannedJob } from "../world/Plan.ts"
import { usualTimeoutMillis } from "./ClientCall.ts"
import type { Clients, Request } from "./Clients.ts"
import * as Requests from "./Requests.ts"

/** A client gives up after this many unanswered requests. */
const tryMax = 8

const pauseMaxMillis = 6_000

/** A job that was accepted as far as its client knows. */
export interface Submitted {
  readonly id: string
  readonly request: Request
}

/** Submits a job, and returns its id if it was accepted. */
export const submit = Effect.fnUntraced(function* (clients: Clients, job: PlannedJob) {
  const { facts, faults, timeline, trace } = clients.world
  const { key, marker } = job
  const chance = clients.world.dice(`client of ${marker}`)
  const bearer = chance.pick(clients.keys)
  const request = Requests.make(clients, job, chance)
  facts.push({ _tag: "Submitted", submission: job, at: timeline.now() })
  trace.add("client", `submits ${marker} (${job.source}${key === null ? "" : ", with a key"})`)
  const goesAway = faults.strikes("client goes away", "client", marker)
  const first = Requests.send(clients, request, {
    key: bearer,
    timeoutMillis: goesAway ? chance.below(200) : usualTimeoutMillis
  })
  const isTwice = key !== null && faults.strikes("client sends twice", "client", marker)
  const answers = yield* Effect.all(isTwice ? [first, first] : [first], {
    concurrency: "unbounded"
  })
  let answer = answers.find(({ id }) => id !== null) ?? answers[0]
  for (let count = 1; key !== null && count < tryMax; count++) {
    if (answer === undefined || answer.id !== null || !Requests.isOpen(answer.refusal)) break
    yield* Effect.sleep(Duration.millis(chance.below(pauseMaxMillis)))
    answer = yield* Requests.send(clients, request, { key: bearer })
  }
  if (answer === undefined || answer.id === null) return Option.none<Submitted>()
  const { id } = answer
  clients.ids.set(marker, id)
  clients.requests.set(id, request)
  facts.push({ _tag: "Accepted", marker, id, at: timeline.now() })
  return Option.some({ id, request })
})
