/**
 * Clients that correct transcripts. Several name speakers, correct texts and restore versions in
 * one transcript, while webhooks are sent and jobs are deleted.
 */

import { Corrections } from "@verbatim/core/services"
import type { Principal } from "@verbatim/core/workspace"
import { Duration, Effect } from "effect"
import type { CorrectionKind } from "../record/Facts.ts"
import { asBearer, askJobs, type Clients, type Key, pause, stepMaxMillis } from "./Clients.ts"

/** Share of runs with correctors. They do not affect other runs. */
const correctedChance = 0.3

const correctorMax = 3

const writeMax = 3

/** Share of writes that follow the previous write immediately. */
const burstChance = 0.6

/** Whether this run has correctors. */
export const isCorrected = ({ world }: Clients): boolean =>
  world.dice("correctors").chance(correctedChance)

/** A transcript, as far as its correctors know it. */
interface Corrected {
  readonly id: string
  /** The job's marker, which corrected texts still contain. */
  readonly marker: string
}

/**
 * A write that names both speakers or corrects every text, which reveals a mixture of two writes.
 */
interface Write extends Corrected {
  readonly kind: CorrectionKind
  readonly token: string
  /** Number of segments in the transcript. */
  readonly count: number
  /** Number of speakers in the transcript. */
  readonly speakers: number
  readonly to: number
}

const placesOf = (length: number) => Array.from({ length }, (_, place) => place)

const bodyOf = ({ count, kind, marker, speakers, to, token }: Write): unknown => {
  if (kind === "Back") return { version: to }
  return kind === "Names"
    ? Object.fromEntries(
        placesOf(speakers).map((place) => [`speaker_${place}`, `name${token}n${place}`])
      )
    : placesOf(count).map((index) => ({ index, text: `said${token} by ${marker}.` }))
}

const methods = { Back: "goBack", Names: "nameSpeakers", Texts: "correctSegments" } as const

const operationOf = (write: Write) => (principal: Principal) =>
  Effect.flatMap(Corrections, (corrections) =>
    corrections[methods[write.kind]](principal, {
      id: write.id,
      body: Effect.succeed(bodyOf(write)),
      idempotencyKey: write.token
    })
  )

const empty = { count: 0, speakers: 0 }

/** Returns the parts of the output to correct, or undefined until there is an output. */
const read = Effect.fnUntraced(function* (clients: Clients, key: Key, id: string) {
  const { refusal, value } = yield* askJobs(clients, key, (jobs, caller) => jobs.status(caller, id))
  if (refusal === "RequestNotFound") return empty
  const list = value?.output?.list
  if (list === undefined) return undefined
  return { count: list.length, speakers: new Set(list.map(({ speaker }) => speaker)).size }
})

const isOpen = (answer: string): boolean =>
  ["CorrectionsContended", "interrupted", "no answer"].includes(answer) || answer.endsWith("Error")

/** Requests a correction with one key until the outcome is known, and returns the version. */
const repeatUntilSettled = Effect.fnUntraced(function* (clients: Clients, key: Key, write: Write) {
  const { dice, facts, timeline, trace } = clients.world
  const chance = dice(`correction ${write.token} of ${write.id}`)
  while (timeline.now() < clients.deadline()) {
    const asked = yield* asBearer(clients, key, operationOf(write))
    const { interval, refusal: answer } = asked
    const { id, kind, token } = write
    const to = kind === "Back" ? write.to : null
    const version = asked.value?.version ?? null
    facts.push({ _tag: "CorrectionRequested", ...interval, id, kind, token, to, answer, version })
    trace.add("corrector", `${kind} ${token} of ${id}: ${version ?? answer}`)
    if (!isOpen(answer)) return asked.value?.version
    yield* Effect.sleep(Duration.millis(chance.below(stepMaxMillis)))
  }
  return undefined
})

const kinds: ReadonlyArray<CorrectionKind> = ["Names", "Names", "Texts", "Texts", "Back"]

/** Runs one corrector, from the first read of the transcript to its last write. */
const correctOne = Effect.fnUntraced(function* (
  clients: Clients,
  key: Key,
  { corrector, id, marker }: Corrected & { readonly corrector: number }
) {
  const { dice, timeline } = clients.world
  const chance = dice(`corrector ${corrector} of ${id}`)
  let found: typeof empty | undefined
  while (found === undefined) {
    if (timeline.now() >= clients.deadline()) return
    yield* Effect.sleep(Duration.millis(chance.between(500, stepMaxMillis)))
    found = yield* read(clients, key, id)
  }
  if (found.count === 0) return
  let last = 0
  for (let write = 0; write < writeMax; write++) {
    yield* pause(chance, burstChance)
    const [kind, to] = [chance.pick(kinds), chance.below(last + 1)]
    const token = `c${corrector}w${write}`
    const wanted = { id, marker, kind, token, to, ...found }
    const version = yield* repeatUntilSettled(clients, key, wanted)
    if (version === undefined) return
    last = version
  }
})

/** Runs several correctors of a transcript concurrently. */
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
