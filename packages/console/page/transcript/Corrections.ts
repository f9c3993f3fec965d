/**
 * Corrects a transcript. Each write names the version that its author has seen; a write that was
 * slower than another is refused and loses nothing. Afterwards the transcript is read again.
 */
import { type Options, VerbatimError } from "@verbatim/client"
import { api } from "../Api.ts"
import { once } from "../ui/SteadyHand.ts"
import { notify } from "../ui/Toasts.tsx"
import type { Transcript } from "./Model.ts"

/** What changes of one segment. */
export interface Change {
  readonly index: number
  readonly text?: string
  readonly speaker?: string
}

/** Why a write was not made. */
export interface Refusal {
  readonly isConflict: boolean
  readonly sentence: string
}

/** Undoes a write, over the version that it made and no other. */
type Undo = () => void

/** Condition and key of a write, and what ends it. */
type Terms = Options<"transcriptions.corrections.goBack">

/** What is to be written. */
interface Write {
  /** What it says: it is done once, though it is sent again because no answer came. */
  readonly said: unknown
  readonly call: (terms: Terms) => Promise<{ readonly version: number }>
  /** The version to make it on, where that is not the one that is shown. */
  readonly over?: number
}

/** Far more than a write takes: the line is dead by then, and those behind it wait for nothing. */
const answerMillisMax = 30_000

const noAnswer = "The server does not answer. Save again in a moment."

const conflict =
  "Somebody corrected it meanwhile. Their text is shown above yours; save again to put yours in " +
  "its place."

/** Makes a write on a version. */
const writeOver = async (
  transcript: Transcript,
  { call, said }: Write,
  before: number
): Promise<Refusal | Undo> => {
  const ending = new AbortController()
  const timer = setTimeout(() => ending.abort(), answerMillisMax)
  // A version is written over once: what says the same over another one is another write.
  const idempotencyKey = transcript.keyFor([before, said])
  try {
    const { version } = await call({ ifMatch: before, idempotencyKey, signal: ending.signal })
    transcript.turns.note(before, version)
    return () => void undo(transcript, { version: before, over: version })
  } catch (cause) {
    if (!(cause instanceof VerbatimError) || cause.kind !== "refused") {
      return { isConflict: false, sentence: noAnswer }
    }
    const isConflict = cause.status === 409 && cause.message.startsWith("If-Match")
    return { isConflict, sentence: isConflict ? conflict : cause.message }
  } finally {
    clearTimeout(timer)
  }
}

/** Writes in turn, on the version `over` or on what our writes made of the one that is shown. */
const write = async (transcript: Transcript, given: Write): Promise<Refusal | Undo> => {
  const { corrections, source, turns } = transcript
  const seen = corrections.peek()?.version ?? 0
  const outcome = await turns.take(() =>
    writeOver(transcript, given, given.over ?? turns.newest(seen))
  )
  if (typeof outcome === "function" || outcome.isConflict) await source.reload()
  return outcome
}

/** Tells what came of a step back. */
const tell = (outcome: Refusal | Undo, said: string, isUndone = false): void => {
  if (typeof outcome === "function") notify(said, isUndone ? {} : { undo: outcome })
  else {
    const quicker = "Somebody was quicker: it is as they left it."
    notify(outcome.isConflict ? quicker : outcome.sentence, { isFault: true })
  }
}

/** Puts an earlier version in the place of the one that is shown, or of another. */
const putBack = (
  transcript: Transcript,
  { version, ...over }: { readonly version: number; readonly over?: number }
): Promise<Refusal | Undo> =>
  write(transcript, {
    ...over,
    said: ["back", version],
    call: (terms) => api.transcriptions.corrections.goBack(transcript.id, { version }, terms)
  })

const undo = async (
  transcript: Transcript,
  steps: { readonly version: number; readonly over: number }
): Promise<void> => tell(await putBack(transcript, steps), "It is as it was before.", true)

/** Goes back to an earlier version; undoing that goes back to the one before. */
export const goBack = (transcript: Transcript, version: number): Promise<void> =>
  once(`transcript ${transcript.id} back to ${version}`, async () => {
    const said = version === 0 ? "It is as it was recognised." : `It is as in version ${version}.`
    tell(await putBack(transcript, { version }), said)
  })

/** Corrects segments. */
export const correctSegments = async (
  transcript: Transcript,
  changes: ReadonlyArray<Change>
): Promise<Refusal | undefined> => {
  const outcome = await write(transcript, {
    said: ["segments", changes],
    call: (terms) => api.transcriptions.corrections.correctSegments(transcript.id, changes, terms)
  })
  if (typeof outcome !== "function") return outcome
  notify(changes.length === 1 ? "Corrected." : `${changes.length} segments are corrected.`, {
    undo: outcome
  })
  return undefined
}

/** The form of the name of a speaker who was recognised and has no other. */
export const unnamed = /^speaker_\d+$/

/** The speakers as recognised who are shown under a name. */
export const recognisedAs = (transcript: Transcript, name: string): ReadonlyArray<string> => {
  const names = transcript.corrections.value?.speakers ?? {}
  const ids = Object.keys(names).filter((id) => names[id] === name)
  return ids.length === 0 && unnamed.test(name) ? [name] : ids
}

/** Segments that one write may change. */
const changeMax = 1_000

/** Calls somebody otherwise whom nobody recognised, but somebody has put over some segments. */
const renameGiven = async (
  transcript: Transcript,
  { from, to }: { readonly from: string; readonly to: string }
): Promise<Refusal | undefined> => {
  const changes = transcript.segments.value.flatMap(({ speaker }, index) =>
    speaker === from ? [{ index, speaker: to }] : []
  )
  if (changes.length <= changeMax) return correctSegments(transcript, changes)
  const sentence = `${from} has more than ${changeMax} segments: correct some of them at a time.`
  return { isConflict: false, sentence }
}

/** Names a speaker; an empty name takes away the name of one who was recognised. */
export const nameSpeaker = async (
  transcript: Transcript,
  { from, to }: { readonly from: string; readonly to: string }
): Promise<Refusal | undefined> => {
  const ids = recognisedAs(transcript, from)
  if (ids.length === 0) return renameGiven(transcript, { from, to })
  const body = Object.fromEntries(ids.map((each) => [each, to === "" ? null : to]))
  const outcome = await write(transcript, {
    said: ["speakers", body],
    call: (terms) => api.transcriptions.corrections.nameSpeakers(transcript.id, body, terms)
  })
  if (typeof outcome !== "function") return outcome
  notify(to === "" ? `${from} has no name any more.` : `${from} is ${to} now.`, { undo: outcome })
  return undefined
}
