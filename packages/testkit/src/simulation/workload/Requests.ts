/**
 * Builds a client's transcription request, perhaps with errors, and submits it. A request with an
 * idempotency key is retried until the client knows the outcome.
 */

import { IdempotencyConflict } from "@verbatim/core/idempotency"
import { Submissions } from "@verbatim/core/services"
import type { IncomingPart } from "@verbatim/core/transcription"
import { Cause, Duration, Effect, Exit, Option, Schema, Stream } from "effect"
import type { Dice } from "../clock/Seed.ts"
import type { FaultName } from "../faults/Faults.ts"
import * as Receivers from "../ports/Receivers.ts"
import { poisonTexts } from "../ports/SpeechEngine.ts"
import type { PlannedJob } from "../world/Plan.ts"
import * as Recording from "../world/Recording.ts"
import { type Answer, usualTimeoutMillis } from "./ClientCall.ts"
import {
  asBearer,
  type Clients,
  type Key,
  type RecordedMedia,
  type Request,
  refusalOf
} from "./Clients.ts"

/** The client disconnected during its upload. */
class ClientGone extends Schema.TaggedError<ClientGone>()("ClientGone", {}) {}

const pieces = (bytes: Uint8Array, isAborted: boolean) => {
  const middle = Math.ceil(bytes.byteLength / 2)
  const [first, second] = [bytes.slice(0, middle), bytes.slice(middle)]
  const later = Effect.delay(
    isAborted ? new ClientGone() : Effect.succeed(second),
    Duration.millis(30)
  )
  return Stream.concat(Stream.succeed(first), Stream.fromEffect(later))
}

/** Strings that callers can send, but that headers must encode. */
const poisonIds = ["démo", "🎧", 'a,b;c="d"', "utf8-b64:AAAA", "\u202e", "%0d%0a", "\r\n"]

/** Returns a job's recording. Several jobs can have the same recording. */
const recordingOf = ({ recordings, world }: Clients, job: PlannedJob): RecordedMedia => {
  const { durationMillis, hearing, marker, sound = marker } = job
  const strikes = (name: FaultName) => world.faults.strikes(name, "client", marker)
  const known = recordings.get(sound)
  if (known !== undefined) return known
  const recording = {
    marker: sound,
    durationMillis,
    isSilent: strikes("media is silent"),
    isLethal: strikes("media kills its process"),
    hearing
  }
  const bytes = strikes("media is poison") ? Recording.poison : Recording.toBytes(recording)
  recordings.set(sound, { bytes, recording })
  return { bytes, recording }
}

/** Creates the request for a planned job. */
const make = (clients: Clients, job: PlannedJob, chance: Dice): Request => {
  const { hosted, world } = clients
  const strikes = (name: FaultName) => world.faults.strikes(name, "client", job.marker)
  const { marker } = job
  const { bytes, recording } = recordingOf(clients, job)
  const isPoison = strikes("request is poison")
  const url = `https://media.example/${marker}.wav`
  // The URL may later return silent media of the same length.
  const other = { ...recording, isSilent: true, isLethal: false }
  hosted.set(url, [bytes, Recording.toBytes(other)])
  const parameters = {
    callback_url: job.hasCallback ? Receivers.callbackUrl(job.origin, marker) : null,
    modifier: job.modifier,
    summary: job.summary,
    callback_id: isPoison ? chance.pick(poisonIds) : marker,
    initial_prompt: isPoison ? chance.pick(poisonTexts) : null,
    url: job.source === "Url" ? url : null,
    ...(job.language === undefined ? {} : { language: job.language })
  }
  return { job, parameters, bytes }
}

const partsOf = ({ world }: Clients, { bytes, job, parameters }: Request, isOther: boolean) => {
  // A language that no other request uses.
  const given = isOther ? { ...parameters, language: "de" } : parameters
  const named = Object.entries(given).map(
    ([name, value]): IncomingPart<ClientGone> => ({ _tag: "Parameter", name, value })
  )
  if (job.source === "Url") return named
  const isAborted = world.faults.strikes("upload is aborted", "client", job.marker)
  const content = pieces(bytes, isAborted)
  const file: IncomingPart<ClientGone> = { _tag: "File", name: "file", filename: "a.wav", content }
  return [...named, file]
}

/** Returns why a request created no job, such as the reason for a key conflict. */
const reasonOf = (answer: Answer<unknown, unknown>): string => {
  if (answer === null || Exit.isSuccess(answer)) return refusalOf(answer)
  const error = Option.getOrUndefined(Cause.findErrorOption(answer.cause))
  return error instanceof IdempotencyConflict ? error.reason : refusalOf(answer)
}

interface Sending {
  readonly key: Key
  /** Whether to change a parameter in the first request. */
  readonly isOther?: boolean
  readonly timeoutMillis?: number
}

/** Sends a request and, if it has an idempotency key, reports the answer to the auditor. */
export const send = Effect.fnUntraced(function* (
  clients: Clients,
  request: Request,
  { isOther = false, key, timeoutMillis = usualTimeoutMillis }: Sending
) {
  const { facts, trace } = clients.world
  const { key: idempotencyKey, marker } = request.job
  const arrival = {
    parts: Stream.fromIterable(partsOf(clients, request, isOther)),
    isTextual: true,
    ...(idempotencyKey === null ? {} : { idempotencyKey })
  }
  const { answer, interval, value } = yield* asBearer(
    clients,
    key,
    (principal) =>
      Effect.flatMap(Submissions, (submissions) => submissions.submit(principal, arrival)),
    timeoutMillis
  )
  const id = value?.id ?? null
  const refusal = reasonOf(answer)
  trace.add("client", `is told ${id === null ? refusal : `that it is ${id}`} about ${marker}`)
  if (idempotencyKey !== null) {
    facts.push({ _tag: "Keyed", marker, isOther, id, refusal, ...interval })
  }
  return { id, refusal }
})

/** Whether a request may have been accepted without its client's knowledge. */
const isOpen = (refusal: string): boolean =>
  ["no answer", "interrupted", "ClientGone"].includes(refusal) || refusal.endsWith("StoreError")

/** Number of unanswered requests after which a client stops trying. */
const tryMax = 8

const pauseMaxMillis = 6_000

/** A job that its client knows to be accepted. */
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
  const request = make(clients, job, chance)
  facts.push({ _tag: "Submitted", submission: job, at: timeline.now() })
  trace.add("client", `submits ${marker} (${job.source}${key === null ? "" : ", with a key"})`)
  const goesAway = faults.strikes("client goes away", "client", marker)
  const first = send(clients, request, {
    key: bearer,
    timeoutMillis: goesAway ? chance.below(200) : usualTimeoutMillis
  })
  const isTwice = key !== null && faults.strikes("client sends twice", "client", marker)
  const answers = yield* Effect.all(isTwice ? [first, first] : [first], {
    concurrency: "unbounded"
  })
  let answer = answers.find(({ id }) => id !== null) ?? answers[0]
  for (let count = 1; key !== null && count < tryMax; count++) {
    if (answer === undefined || answer.id !== null || !isOpen(answer.refusal)) break
    yield* Effect.sleep(Duration.millis(chance.below(pauseMaxMillis)))
    answer = yield* send(clients, request, { key: bearer })
  }
  if (answer === undefined || answer.id === null) return Option.none<Submitted>()
  const { id } = answer
  clients.ids.set(marker, id)
  clients.requests.set(id, request)
  facts.push({ _tag: "Accepted", marker, id, at: timeline.now() })
  return Option.some({ id, request })
})
