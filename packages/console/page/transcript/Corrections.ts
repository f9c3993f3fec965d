/** Corrects a transcript. Each write names the version that the user has seen. */
import { type Body, type Options, VerbatimError } from "@verbatim/client"
import { api, sentenceOf } from "../Api.ts"
import { once } from "../ui/RepeatGuard.ts"
import { notify } from "../ui/Toasts.tsx"
import { type Replacement, replaceText } from "./Blocks.ts"
import type { Transcript } from "./Model.ts"

const { corrections } = api.transcriptions
export type Change = Body<"transcriptions.corrections.correctSegments">[number]

type Steps = Readonly<{ version: number; over: number }>

type WriteOptions = Options<"transcriptions.corrections.goBack">

interface Write {
  /** A retry with the same content is applied only once. */
  readonly content: unknown
  readonly call: (options: WriteOptions) => Promise<{ readonly version: number }>
  readonly over?: number
  readonly said: string
}
/** Far longer than any write takes. Then the next write is sent. */
const answerMillisMax = 30_000
const noAnswer = "The server does not respond. Save again in a moment."
const conflict =
  "Someone else corrected this in the meantime. Their text is shown above yours; save again to " +
  "replace it."

const writeOver = async (
  { keyFor, writes }: Transcript,
  { call, content }: Write,
  before: number
): Promise<Steps> => {
  const ending = new AbortController()
  const timer = setTimeout(() => ending.abort(), answerMillisMax)
  // The version is part of the key: the same content on another version is a different write.
  const idempotencyKey = keyFor([before, content])
  try {
    const { version } = await call({ ifMatch: before, idempotencyKey, signal: ending.signal })
    writes.record(before, version)
    return { version: before, over: version }
  } catch (cause) {
    if (!(cause instanceof VerbatimError) || cause.kind !== "refused") {
      throw new Error(noAnswer, { cause })
    }
    const isConflict = cause.status === 409 && cause.message.startsWith("If-Match")
    throw isConflict ? new Error(conflict, { cause }) : cause
  } finally {
    clearTimeout(timer)
  }
}

/** Queues a write on version `over` or, by default, the page's newest. Rejects if refused. */
const write = async (transcript: Transcript, request: Write): Promise<void> => {
  const { id, source, writes } = transcript
  const { over, said } = request
  const seen = transcript.corrections.peek()?.version ?? 0
  const base = () => (over === undefined ? writes.newest(seen) : writes.newestCopy(over))
  const sent = writes.run(() => writeOver(transcript, request, base()))
  const outcome = await sent.catch((cause: unknown) => cause)
  if (!(outcome instanceof Error) || outcome.message === conflict) await source.reload()
  const steps = await sent
  const undoing = { undo: () => void undo(transcript, steps), series: `transcript ${id}` }
  notify(said, over === undefined ? undoing : {})
}

const theirs = "Someone else changed this transcript first: their version is kept."

/** `quicker` is the sentence for the case that another user was quicker. */
export const notifyRefused = (cause: unknown, quicker = theirs): void => {
  const sentence = sentenceOf(cause)
  notify(sentence === conflict ? quicker : sentence, { isFault: true })
}

const restoreVersion = (
  transcript: Transcript,
  { version, ...rest }: Partial<Steps> & { readonly version: number; readonly said: string }
): Promise<void> =>
  write(transcript, {
    ...rest,
    content: ["back", version],
    call: async (options) => {
      const copy = await corrections.goBack(transcript.id, { version }, options)
      transcript.writes.recordRestored(version, copy.version)
      return copy
    }
  })

const ownLater =
  "You have changed this transcript since then. Restore an earlier version under Corrections."

const undo = (transcript: Transcript, steps: Steps): Promise<void> =>
  restoreVersion(transcript, { ...steps, said: "Undone." }).catch((cause: unknown) => {
    const { newest, newestCopy } = transcript.writes
    const copy = newestCopy(steps.over)
    notifyRefused(cause, newest(copy) === copy ? undefined : ownLater)
  })

export const restore = (transcript: Transcript, version: number): Promise<void> =>
  once(`transcript ${transcript.id} back to ${version}`, () => {
    const said = version === 0 ? "Restored the recognised text." : `Restored version ${version}.`
    return restoreVersion(transcript, { version, said }).catch((cause) => notifyRefused(cause))
  })

const changeMax = 1_000
type Changes = ReadonlyArray<Change>
export const correctSegments = async (transcript: Transcript, changes: Changes, said: string) => {
  if (changes.length > changeMax) {
    throw new Error(`This would change more than ${changeMax} segments: correct fewer at a time.`)
  }
  return write(transcript, {
    content: ["segments", changes],
    call: (options) => corrections.correctSegments(transcript.id, changes, options),
    said
  })
}

export const replaceEverywhere = async (transcript: Transcript, replacement: Replacement) => {
  const { changes, count } = replaceText(transcript.segments.value, replacement)
  if (changes.length === 0) {
    throw new Error("Nothing to replace: no match is within one segment, or the text is the same.")
  }
  const { by, wanted } = replacement
  const done = by === "" ? `“${wanted}” deleted` : `“${wanted}” replaced with “${by}”`
  const rest = transcript.search.hits.value.length - count
  const kept = rest > 0 ? ` ${rest} not changed.` : ""
  const many = count === 1 ? "1 match" : `${count} matches`
  return correctSegments(transcript, changes, `${done}: ${many}.${kept}`)
}

/** The name of a recognised speaker who has not been renamed. */
export const unnamed = /^speaker_\d+$/
export const recognisedIds = (transcript: Transcript, name: string): ReadonlyArray<string> => {
  const names = transcript.corrections.value?.speakers ?? {}
  const ids = Object.keys(names).filter((id) => names[id] === name)
  return ids.length === 0 && unnamed.test(name) ? [name] : ids
}

type Renaming = Readonly<{ from: string; to: string }>
const describeNaming = ({ speakers }: Transcript, { from, to }: Renaming): string => {
  if (to === "") return `Name ${from} removed.`
  return `${from} ${speakers.value.includes(to) ? "merged with" : "renamed to"} ${to}.`
}

/** Renames a speaker who was not recognised but was assigned to some segments by hand. */
const renameManual = (transcript: Transcript, { from, to }: Renaming): Promise<void> => {
  const changes = transcript.segments.value.flatMap(({ speaker }, index) =>
    speaker === from ? [{ index, speaker: to }] : []
  )
  return correctSegments(transcript, changes, describeNaming(transcript, { from, to }))
}

/** Renames a speaker. An empty name removes a recognised speaker's name. */
export const nameSpeaker = (transcript: Transcript, { from, to }: Renaming): Promise<void> => {
  const ids = recognisedIds(transcript, from)
  if (ids.length === 0) return renameManual(transcript, { from, to })
  const body = Object.fromEntries(ids.map((each) => [each, to === "" ? null : to]))
  return write(transcript, {
    content: ["speakers", body],
    call: (options) => corrections.nameSpeakers(transcript.id, body, options),
    said: describeNaming(transcript, { from, to })
  })
}
