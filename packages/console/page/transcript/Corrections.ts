/**
 * Corrects a transcript. Each write names the version that the user has seen. If there is a
 * conflict, the write is refused and the draft is kept. The transcript is reread after each write.
 */
import { type Options, VerbatimError } from "@verbatim/client"
import { api } from "../Api.ts"
import { once } from "../ui/RepeatGuard.ts"
import { notify } from "../ui/Toasts.tsx"
import { replaceText } from "./Blocks.ts"
import type { Transcript } from "./Model.ts"

/** A change to one segment. */
export interface Change {
  readonly index: number
  readonly text?: string
  readonly speaker?: string
  /** Splits the segment before a character, with a speaker for the second part. */
  readonly split?: { readonly at: number; readonly speaker?: string }
  /** Joins the segment to the previous segment. */
  readonly join?: true
}

/** The reason why a write was refused. */
export interface Refusal {
  readonly isConflict: boolean
  readonly sentence: string
}

/** Undoes a write, but only while the version created by this write, or a copy, is current. */
type Undo = () => void

/** The condition, the idempotency key and the abort signal for a write. */
type WriteOptions = Options<"transcriptions.corrections.goBack">

/** A correction write that is ready to be sent. */
interface Write {
  /**
   * The content from which the idempotency key is derived, so that a retried write is applied once.
   */
  readonly content: unknown
  readonly call: (options: WriteOptions) => Promise<{ readonly version: number }>
  /** The version on which to base the write, if not the shown version. */
  readonly over?: number
}

/**
 * Milliseconds after which the connection is considered dead and the next write is sent; far longer
 * than any write takes.
 */
const answerMillisMax = 30_000

const noAnswer = "The server does not respond. Save again in a moment."

const conflict =
  "Someone else corrected this in the meantime. Their text is shown above yours; save again to " +
  "replace it."

/** Sends a write based on a version. */
const writeOver = async (
  transcript: Transcript,
  { call, content }: Write,
  before: number
): Promise<Refusal | Undo> => {
  const ending = new AbortController()
  const timer = setTimeout(() => ending.abort(), answerMillisMax)
  // The version is part of the key: the same content on another version is a different write.
  const idempotencyKey = transcript.keyFor([before, content])
  try {
    const { version } = await call({ ifMatch: before, idempotencyKey, signal: ending.signal })
    transcript.writes.record(before, version)
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

/**
 * Queues a write based on the version `over` or, by default, on the latest version that this page's
 * own writes have created from the shown version.
 */
const write = async (transcript: Transcript, request: Write): Promise<Refusal | Undo> => {
  const { corrections, source, writes } = transcript
  const seen = corrections.peek()?.version ?? 0
  const outcome = await writes.run(() =>
    writeOver(
      transcript,
      request,
      request.over === undefined ? writes.newest(seen) : writes.newestCopy(request.over)
    )
  )
  if (typeof outcome === "function" || outcome.isConflict) await source.reload()
  return outcome
}

/** Reports a write, and offers to undo it. */
const notifyDone = ({ id }: Transcript, said: string, undo: Undo): void =>
  notify(said, { undo, series: `transcript ${id}` })

const notifyRefused = (
  { isConflict, sentence }: Refusal,
  quicker = "Someone else changed this transcript first: their version is kept."
): void => notify(isConflict ? quicker : sentence, { isFault: true })

/** Restores an earlier version, based on `over` or, by default, on the shown version. */
const restoreVersion = (
  transcript: Transcript,
  { version, ...over }: { readonly version: number; readonly over?: number }
): Promise<Refusal | Undo> =>
  write(transcript, {
    ...over,
    content: ["back", version],
    call: async (options) => {
      const copy = await api.transcriptions.corrections.goBack(transcript.id, { version }, options)
      transcript.writes.recordRestored(version, copy.version)
      return copy
    }
  })

const ownLater =
  "You have changed this transcript since then. Restore an earlier version under Corrections."

const undo = async (
  transcript: Transcript,
  steps: { readonly version: number; readonly over: number }
): Promise<void> => {
  const { writes } = transcript
  const outcome = await restoreVersion(transcript, steps)
  if (typeof outcome === "function") return notify("Undone.")
  const copy = writes.newestCopy(steps.over)
  notifyRefused(outcome, writes.newest(copy) === copy ? undefined : ownLater)
}

/** Restores an earlier version. An undo restores the version shown before. */
export const restore = (transcript: Transcript, version: number): Promise<void> =>
  once(`transcript ${transcript.id} back to ${version}`, async () => {
    const said = version === 0 ? "Restored the recognised text." : `Restored version ${version}.`
    const outcome = await restoreVersion(transcript, { version })
    if (typeof outcome === "function") notifyDone(transcript, said, outcome)
    else notifyRefused(outcome)
  })

/** Maximum number of segments that one write can change. */
const changeMax = 1_000

/** Sends a correction, and reports what was done. */
const correct = async (
  transcript: Transcript,
  { said, ...request }: Write & { readonly said: string }
): Promise<Refusal | undefined> => {
  const outcome = await write(transcript, request)
  if (typeof outcome !== "function") return outcome
  notifyDone(transcript, said, outcome)
  return undefined
}

export const correctSegments = (
  transcript: Transcript,
  changes: ReadonlyArray<Change>,
  said: string
): Promise<Refusal | undefined> =>
  correct(transcript, {
    content: ["segments", changes],
    call: (options) =>
      api.transcriptions.corrections.correctSegments(transcript.id, changes, options),
    said
  })

/** Replaces text in all segments, as a single version. */
export const replaceEverywhere = async (
  transcript: Transcript,
  replacement: { readonly wanted: string; readonly by: string }
): Promise<Refusal | undefined> => {
  const changes = replaceText(transcript.segments.value, replacement)
  const { by, wanted } = replacement
  const done = by === "" ? `“${wanted}” deleted` : `“${wanted}” replaced with “${by}”`
  const where = changes.length === 1 ? "1 segment" : `${changes.length} segments`
  if (changes.length > 0 && changes.length <= changeMax) {
    return correctSegments(transcript, changes, `${done} in ${where}.`)
  }
  const sentence =
    changes.length === 0
      ? "Nothing was replaced: no match is within one segment, or the text is already the same."
      : `More than ${changeMax} segments match: search for a longer text.`
  return { isConflict: false, sentence }
}

/** The name of a recognised speaker who has not been renamed. */
export const unnamed = /^speaker_\d+$/

/** Returns the recognised speakers who are shown with a name. */
export const recognisedIds = (transcript: Transcript, name: string): ReadonlyArray<string> => {
  const names = transcript.corrections.value?.speakers ?? {}
  const ids = Object.keys(names).filter((id) => names[id] === name)
  return ids.length === 0 && unnamed.test(name) ? [name] : ids
}

/** Renames a speaker who was not recognised but was assigned to some segments by hand. */
const renameManual = async (
  transcript: Transcript,
  { from, to }: { readonly from: string; readonly to: string }
): Promise<Refusal | undefined> => {
  const changes = transcript.segments.value.flatMap(({ speaker }, index) =>
    speaker === from ? [{ index, speaker: to }] : []
  )
  if (changes.length <= changeMax) {
    return correctSegments(transcript, changes, `${from} renamed to ${to}.`)
  }
  const sentence = `${from} has more than ${changeMax} segments: correct fewer at a time.`
  return { isConflict: false, sentence }
}

/** Renames a speaker. An empty name removes a recognised speaker's name. */
export const nameSpeaker = async (
  transcript: Transcript,
  { from, to }: { readonly from: string; readonly to: string }
): Promise<Refusal | undefined> => {
  const ids = recognisedIds(transcript, from)
  if (ids.length === 0) return renameManual(transcript, { from, to })
  const body = Object.fromEntries(ids.map((each) => [each, to === "" ? null : to]))
  return correct(transcript, {
    content: ["speakers", body],
    call: (options) => api.transcriptions.corrections.nameSpeakers(transcript.id, body, options),
    said: to === "" ? `Name ${from} removed.` : `${from} renamed to ${to}.`
  })
}
