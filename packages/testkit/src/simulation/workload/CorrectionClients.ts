/**
 * Correctors of transcripts: they name speakers, put texts right and go back, several of them at
 * one transcript, while webhooks are sent and jobs are deleted.
 */

import { Corrections, Jobs } from "@verbatim/core/services"
import type { Principal } from "@verbatim/core/workspace"
import { Duration, Effect, Exit } from "effect"
import type { CorrectionKind } from "../record/Facts.ts"
import { asBearer, type Clients, type Key, pause, refusalOf, stepMaxMillis } from "./Clients.ts"

/** The share of runs with correctors: the others are as they would be without. */
const correctedChance = 0.3

const correctorMax = 3

const writeMax = 3

/** The share of writes that follow each other at once. */
const burstChance = 0.6

/** Whether transcripts are corrected in this run. */
export const isCorrected = ({ world }: Clients): boolean =>
  world.dice("correctors").chance(correctedChance)

/** A transcript as its correctors know it. */
interface Corrected {
  readonly id: string
  /** Names its job; corrected texts go on to speak of it. */
  readonly marker: string
}

/** A write. It names both speakers, or puts every text right, so that a mixture shows. */
interface Wish extends Corrected {
  readonly kind: CorrectionKind
  readonly token: string
  readonly count: number
  readonly to: number
}

const bodyOf = ({ count, kind, marker, to, token }: Wish): unknown => {
  const places = Array.from({ length: count }, (_, place) => place)
  if (kind === "Back") return { version: to }
  return kind === "Names"
    ? Object.fromEntries(places.map((place) => [`speaker_${place}`, `name${token}n${place}`]))
    : places.map((index) => ({ index, text: `said${token} by ${marker}.` }))
}

const methods = { Back: "goBack", Names: "nameSpeakers", Texts: "correctSegments" } as const

const questionOf = (wish: Wish) => (principal: Principal) =>
  Effect.flatMap(Corrections, (corrections) =>
    corrections[methods[wish.kind]](principal, {
      id: wish.id,
      body: Effect.succeed(bodyOf(wish)),
      idempotencyKey: wish.token
    })
  )

/** How many segments the output has; undefined while it is not there. */
const read = Effect.fnUntraced(function* (clients: Clients, key: Key, id: string) {
  const answer = yield* asBearer(clients, key, {
    question: (principal) => Effect.flatMap(Jobs, (jobs) => jobs.status(principal, id))
  })
  if (answer === null) return undefined
  if (Exit.isFailure(answer)) return refusalOf(answer) === "RequestNotFound" ? 0 : undefined
  return answer.value.output?.list.length
})

const isOpen = (answer: string): boolean =>
  ["CorrectionsContended", "interrupted", "no answer"].includes(answer) || answer.endsWith("Error")

/** Asks for a correction, under one key, until an answer settles it; tells its version. */
const insist = Effect.fnUntraced(function* (clients: Clients, key: Key, wish: Wish) {
  const { dice, facts, timeline, trace } = clients.world
  const chance = dice(`correction ${wish.token} of ${wish.id}`)
  while (timeline.now() < clients.deadline()) {
    const beganAt = timeline.now()
    const told = yield* asBearer(clients, key, { question: questionOf(wish) })
    const standing = told !== null && Exit.isSuccess(told) ? told.value : null
    const answer = told === null ? "no answer" : refusalOf(told)
    const { id, kind, token } = wish
    facts.push({
      _tag: "CorrectionAsked",
      beganAt,
      endedAt: timeline.now(),
      id,
      kind,
      token,
      to: kind === "Back" ? wish.to : null,
      answer,
      version: standing?.version ?? null
    })
    trace.add("corrector", `${kind} ${token} of ${id}: ${standing?.version ?? answer}`)
    if (!isOpen(answer)) return standing?.version
    yield* Effect.sleep(Duration.millis(chance.below(stepMaxMillis)))
  }
  return undefined
})

const kinds: ReadonlyArray<CorrectionKind> = ["Names", "Names", "Texts", "Texts", "Back"]

/** One corrector, from the transcript to the last of its writes. */
const correctOne = Effect.fnUntraced(function* (
  clients: Clients,
  key: Key,
  { corrector, id, marker }: Corrected & { readonly corrector: number }
) {
  const { dice, timeline } = clients.world
  const chance = dice(`corrector ${corrector} of ${id}`)
  let count: number | undefined
  while (count === undefined) {
    if (timeline.now() >= clients.deadline()) return
    yield* Effect.sleep(Duration.millis(chance.between(500, stepMaxMillis)))
    count = yield* read(clients, key, id)
  }
  if (count === 0) return
  let last = 0
  for (let write = 0; write < writeMax; write++) {
    yield* pause(chance, burstChance)
    const [kind, to] = [chance.pick(kinds), chance.below(last + 1)]
    const token = `c${corrector}w${write}`
    const version = yield* insist(clients, key, { id, marker, kind, token, count, to })
    if (version === undefined) return
    last = version
  }
})

/** Some people correct one transcript at the same time. */
export const correct = Effect.fnUntraced(function* (
  clients: Clients,
  key: Key,
  corrected: Corrected
) {
  const count = clients.world.dice(`correctors of ${corrected.id}`).between(1, correctorMax)
  const all = Array.from({ length: count }, (_, corrector) =>
    correctOne(clients, key, { ...corrected, corrector })
  )
  yield* Effect.all(all, { concurrency: "unbounded", discard: true })
})
