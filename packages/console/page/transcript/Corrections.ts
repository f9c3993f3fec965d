/**
 * Corrects a transcript. Each write names the version that its author has seen; who was slower is
 * told so and loses nothing of what was written. Undoing goes back to the version before.
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

/** How a write ended: nothing where it was made. */
export type Refusal = { readonly isConflict: boolean; readonly sentence: string } | undefined

type Answer = { readonly version: number } | VerbatimError

const conflict =
  "Somebody corrected it meanwhile. Their text is shown above yours; save again to put yours in " +
  "its place."

/** A write, and the version that it was made on. */
interface Written {
  readonly before: number
  readonly refusal: Refusal
}

/** Condition and key of a write, and what ends it. */
type Terms = Options<"transcriptions.corrections.goBack">

/** What is to be written. */
interface Write {
  /** What it says: it is done once, though it is sent again because no answer came. */
  readonly said: unknown
  readonly call: (terms: Terms) => Promise<{ readonly version: number }>
  /** The version to make it on, where that is not the one that is shown. */
  readonly over?: number | undefined
}

/** Far more than a write takes: the line is dead by then, and those behind it wait for nothing. */
const answerMillisMax = 30_000

/** What a write on a version is answered with; nothing where no answer comes. */
const answerOf = async (
  { keyFor }: Transcript,
  { call, said }: Write,
  before: number
): Promise<Answer | undefined> => {
  const ending = new AbortController()
  const timer = setTimeout(() => ending.abort(), answerMillisMax)
  // A version is written over once: what says the same over another one is meant anew.
  const terms = { ifMatch: before, idempotencyKey: keyFor([before, said]), signal: ending.signal }
  const answer = await call(terms).catch((cause: unknown) =>
    cause instanceof VerbatimError && cause.kind === "refused" ? cause : undefined
  )
  clearTimeout(timer)
  return answer
}

/** Does it in its turn: on the version `over`, or on what our writes made of that shown. */
const write = (transcript: Transcript, given: Write): Promise<Written> => {
  const { shown, turns } = transcript
  const seen = shown.peek() ?? 0
  return turns.take(async () => {
    const before = given.over ?? turns.newest(seen)
    return { before, refusal: await writeOver(transcript, given, before) }
  })
}

/** Makes a write on a version, and shows the one that it makes. */
const writeOver = async (
  transcript: Transcript,
  given: Write,
  before: number
): Promise<Refusal> => {
  const { corrections, shown, told, turns } = transcript
  const answer = await answerOf(transcript, given, before)
  if (answer === undefined) {
    return { isConflict: false, sentence: "The server does not answer. Save again in a moment." }
  }
  if ("version" in answer) {
    turns.note(before, answer.version)
    shown.value = answer.version
    void corrections.reload()
    return undefined
  }
  const { message: sentence, status } = answer
  const isConflict = status === 409 && sentence.startsWith("If-Match")
  if (!isConflict) return { isConflict, sentence }
  await corrections.reload()
  shown.value = corrections.state.value.value?.version
  await told.reload()
  return { isConflict, sentence: conflict }
}

/** Goes back to an earlier version; undoing that goes back to the one before. */
export const goBack = (transcript: Transcript, version: number): Promise<void> =>
  once(`transcript ${transcript.id} back to ${version}`, async () => {
    const undo = await put(transcript, { version })
    if (undo === undefined) return
    const said = version === 0 ? "It is as it was recognised." : `It is as in version ${version}.`
    notify(said, { undo })
  })

/** Puts an earlier version in the place of one, unless somebody was quicker; gives the way back. */
const put = async (
  transcript: Transcript,
  { over, version }: { readonly version: number; readonly over?: number }
): Promise<(() => void) | undefined> => {
  const { id, told } = transcript
  const { before, refusal } = await write(transcript, {
    over,
    said: ["back", version],
    call: (terms) => api.transcriptions.corrections.goBack(id, { version }, terms)
  })
  if (refusal === undefined) {
    const undo = makeUndo(transcript, before)
    await told.reload()
    return undo
  }
  notify(refusal.isConflict ? "Somebody was quicker: it is as they left it." : refusal.sentence, {
    isFault: true
  })
  return undefined
}

/** The way back from the version that was just made, over no other: a later one may be shown. */
const makeUndo = (transcript: Transcript, version: number): (() => void) => {
  const over = transcript.shown.value ?? 0
  return () =>
    void put(transcript, { version, over }).then((redo) => {
      if (redo !== undefined) notify("It is as it was before.")
    })
}

/** Corrects segments, and shows them so at once. */
export const correctSegments = async (
  transcript: Transcript,
  changes: ReadonlyArray<Change>
): Promise<Refusal> => {
  const { id, segments } = transcript
  const { before, refusal } = await write(transcript, {
    said: ["segments", changes],
    call: (terms) => api.transcriptions.corrections.correctSegments(id, changes, terms)
  })
  if (refusal !== undefined) return refusal
  const names = transcript.corrections.state.value.value?.speakers ?? {}
  const corrected = changes.flatMap(({ index, speaker, text }) => {
    const segment = segments.value[index]
    if (segment === undefined) return []
    const now = {
      ...segment,
      ...(text === undefined ? {} : { text }),
      ...(speaker === undefined ? {} : { speaker: names[speaker] ?? speaker })
    }
    return [[index, now] as const]
  })
  transcript.replace(new Map(corrected))
  notify(changes.length === 1 ? "Corrected." : `${changes.length} segments are corrected.`, {
    undo: makeUndo(transcript, before)
  })
  return undefined
}

/** The speakers as recognised who are shown under a name. */
export const recognisedAs = (transcript: Transcript, name: string): ReadonlyArray<string> => {
  const names = transcript.corrections.state.value.value?.speakers ?? {}
  const ids = Object.keys(names).filter((id) => names[id] === name)
  return ids.length === 0 && /^speaker_\d+$/.test(name) ? [name] : ids
}

/** Segments that one write may change. */
const changeMax = 1_000

/** Calls somebody otherwise whom nobody recognised, but somebody has put over some segments. */
const renameGiven = async (
  transcript: Transcript,
  { from, to }: { readonly from: string; readonly to: string }
): Promise<Refusal> => {
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
): Promise<Refusal> => {
  const { id, segments, told } = transcript
  const ids = recognisedAs(transcript, from)
  if (ids.length === 0) return renameGiven(transcript, { from, to })
  const body = Object.fromEntries(ids.map((each) => [each, to === "" ? null : to]))
  const { before, refusal } = await write(transcript, {
    said: ["speakers", body],
    call: (terms) => api.transcriptions.corrections.nameSpeakers(id, body, terms)
  })
  if (refusal !== undefined) return refusal
  const undo = makeUndo(transcript, before)
  const isTaken = segments.value.some(({ speaker }) => speaker === to)
  if (to === "" || isTaken) await told.reload()
  else transcript.rename(from, to)
  notify(to === "" ? `${from} has no name any more.` : `${from} is ${to} now.`, { undo })
  return undefined
}
