/**
 * Handing a recording in: the request as a client makes it, with what can be wrong about it.
 */
import { Jobs } from "@verbatim/core/job/Jobs"
import type { JobView } from "@verbatim/core/job/JobView"
import type { ArrivingPart } from "@verbatim/core/transcription/Arrival"
import { Duration, Effect, Exit, Option, Schema, Stream } from "effect"
import { type Answer, usualPatienceMillis } from "./Asking.ts"
import { poisonTexts } from "./Engines.ts"
import type { FaultName } from "./FaultCatalogue.ts"
import { asBearer, type Office, refusalOf } from "./Office.ts"
import type { PlannedJob } from "./Plan.ts"
import * as Receivers from "./Receivers.ts"
import * as Recording from "./Recording.ts"
import type { Dice } from "./Seed.ts"

/** The client went away in the middle of its upload. */
export class ClientGone extends Schema.TaggedError<ClientGone>()("ClientGone", {}) {}

const pieces = (bytes: Uint8Array, isAborted: boolean) => {
  const middle = Math.ceil(bytes.byteLength / 2)
  const [first, second] = [bytes.slice(0, middle), bytes.slice(middle)]
  const later = Effect.delay(
    isAborted ? new ClientGone() : Effect.succeed(second),
    Duration.millis(30)
  )
  return Stream.concat(Stream.succeed(first), Stream.fromEffect(later))
}

/** Text that callers may send and headers cannot carry as it is. */
const poisonIds = ["démo", "🎧", 'a,b;c="d"', "utf8-b64:AAAA", "\u202e", "%0d%0a", "\r\n"]

/** The parts of a request to transcribe. */
const partsOf = ({ hosted, world }: Office, job: PlannedJob, chance: Dice) => {
  const strikes = (name: FaultName) => world.faults.strikes(name, "client", job.marker)
  const { durationMillis, marker } = job
  const recording = { marker, durationMillis, isSilent: strikes("media is silent") }
  const bytes = strikes("media is poison") ? Recording.poison : Recording.toBytes(recording)
  const isPoison = strikes("request is poison")
  const url = `https://media.example/${marker}.wav`
  // The media may change to a silent one of the same length.
  hosted.set(url, [bytes, Recording.toBytes({ ...recording, isSilent: true })])
  const parameters: Readonly<Record<string, string | null>> = {
    callback_url: job.hasCallback ? Receivers.callbackUrl(job.origin, marker) : null,
    modifier: job.modifier,
    summary: job.summary,
    callback_id: isPoison ? chance.pick(poisonIds) : null,
    initial_prompt: isPoison ? chance.pick(poisonTexts) : null,
    url: job.source === "Url" ? url : null
  }
  const named = Object.entries(parameters).map(
    ([name, value]): ArrivingPart<ClientGone> => ({ _tag: "Parameter", name, value })
  )
  const isAborted = job.source === "Upload" && strikes("upload is aborted")
  const content = pieces(bytes, isAborted)
  const file: ArrivingPart<ClientGone> = { _tag: "File", name: "file", filename: "a.wav", content }
  return job.source === "Upload" ? [...named, file] : named
}

/** Hands a job in; gives its id when it was accepted. */
export const submit = Effect.fnUntraced(function* (office: Office, job: PlannedJob) {
  const { facts, faults, timeline, trace } = office.world
  const chance = office.world.dice(`client of ${job.marker}`)
  const key = chance.pick(office.keys)
  const parts = partsOf(office, job, chance)
  facts.push({ _tag: "Submitted", submission: job, at: timeline.now() })
  trace.add("client", `submits ${job.marker} (${job.source})`)
  const goesAway = faults.strikes("client goes away", "client", job.marker)
  const answer: Answer<JobView, unknown> = yield* asBearer(office, key, {
    question: (principal) =>
      Effect.flatMap(Jobs, (jobs) =>
        jobs.submit(principal, { parts: Stream.fromIterable(parts), isTextual: true })
      ),
    patienceMillis: goesAway ? chance.below(200) : usualPatienceMillis
  })
  if (answer === null || Exit.isFailure(answer)) {
    const reason = answer === null ? "no answer" : refusalOf(answer)
    facts.push({ _tag: "Refused", marker: job.marker, reason })
    trace.add("client", `is told ${reason} about ${job.marker}`)
    return Option.none<string>()
  }
  const { id } = answer.value
  office.ids.set(job.marker, id)
  facts.push({ _tag: "Accepted", marker: job.marker, id, at: timeline.now() })
  trace.add("client", `is told that ${job.marker} is ${id}`)
  return Option.some(id)
})
