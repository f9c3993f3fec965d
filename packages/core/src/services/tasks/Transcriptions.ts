/** Transcribes a recording: fetches the media, decodes it, and recognises speech. */

import { Effect, Option, Struct } from "effect"
import { Digest } from "effect/crypto"
import type { JobId } from "../../domain/attempt/Attempt.ts"
import { Failure } from "../../domain/attempt/Failure.ts"
import { transcriptEvents } from "../../domain/job/AttemptEvents.ts"
import { JobEvent } from "../../domain/job/JobEvent.ts"
import { MediaRetention } from "../../domain/job/MediaRetention.ts"
import { storable } from "../../domain/schema/StorableText.ts"
import { type DecodedAudio, durationMillis } from "../../domain/transcription/DecodedAudio.ts"
import { type MediaKey, makeMediaKey } from "../../domain/transcription/MediaKey.ts"
import {
  extensionOf,
  extensionOfRemote,
  fileBytesMax,
  MediaLimits,
  pathOf
} from "../../domain/transcription/MediaType.ts"
import { toTranscript } from "../../domain/transcription/RecognisedTranscript.ts"
import { Event } from "../../domain/transcription/Transcription.ts"
import { Warning } from "../../domain/transcription/Warning.ts"
import { coreMetrics } from "../../metrics/CoreTable.ts"
import { AudioDecoder } from "../../ports/AudioDecoder.ts"
import { JobStore } from "../../ports/JobStore.ts"
import { MediaFetcher, type MediaFetcherError } from "../../ports/MediaFetcher.ts"
import { MediaStore, type MediaStoreError } from "../../ports/MediaStore.ts"
import { trace } from "../../ports/Trace.ts"
import { type Recognised, Transcriber } from "../../ports/Transcriber.ts"
import * as Quota from "../quota/Quota.ts"
import { makePieceRecognition, PieceSettings } from "./PieceRecognition.ts"
import type { TaskContext } from "./TaskContext.ts"

/**
 * Returns the warnings of the decoder, and one more if the request asked for speakers that are
 * unknown.
 */
const warningsOf = ({
  audio: { warnings = [] },
  isDiarized,
  recognised
}: {
  readonly audio: DecodedAudio
  readonly isDiarized: boolean
  readonly recognised: Recognised
}): ReadonlyArray<Warning> =>
  isDiarized && recognised.areSpeakersUnknown === true
    ? [...warnings, Warning.cases.SpeakersUnknown.make({})]
    : warnings

/**
 * Maximum length of an engine's name. The name contains the model name that a server reports, which
 * can be any text.
 */
const engineLengthMax = 200

/**
 * Creates a function that downloads media into the media store, for a job whose transcription is in
 * the state Fetching.
 */
export const makeFetch = Effect.gen(function* () {
  const fetcher = yield* MediaFetcher
  const mediaStore = yield* MediaStore
  const limits = yield* MediaLimits

  const download = Effect.fnUntraced(function* (source: {
    readonly jobId: JobId
    readonly attempt: number
    readonly url: string
  }) {
    const remote = yield* fetcher.fetch(source.url)
    const extension = extensionOfRemote({ ...remote, url: source.url })
    if (Option.isNone(extension)) {
      return yield* Effect.fail(
        Failure.cases.MediaUnsupported.make({ extension: extensionOf(pathOf(source.url)) })
      )
    }
    const key = makeMediaKey({ ...source, extension: extension.value })
    const byteLength = yield* mediaStore.put({
      key,
      content: remote.content,
      byteMax: fileBytesMax(limits)
    })
    yield* coreMetrics.mediaSize.record({ source: "url" }, byteLength)
    return { key, extension: extension.value, byteLength }
  }, Effect.scoped)

  return trace("Transcriptions.fetch")(function* ({ job, now }: TaskContext) {
    const { transcription } = job
    if (transcription._tag !== "Fetching") return yield* Effect.die(notBegun("Fetching"))
    const { attempt, id, url } = transcription
    const media = yield* download({ jobId: id, attempt, url }).pipe(
      Effect.catchTags({
        MediaFetcherError: (error) => Effect.fail(unreachable(error)),
        MediaStoreError: (error) => Effect.fail(toFailure(error, limits))
      })
    )
    const event = Event.cases.MediaStored.make({ at: yield* now, media })
    return { events: [JobEvent.cases.Transcription.make({ event })] }
  })
})

/** Creates a function that recognises the speech in a recording. */
const makeRecognise = Effect.gen(function* () {
  const decoder = yield* AudioDecoder
  const mediaStore = yield* MediaStore
  const transcriber = yield* Transcriber
  const settings = yield* PieceSettings
  const slots = Quota.make({ share: settings.atOnce, total: settings.atOnce })
  const shared = {
    decoder,
    digest: yield* Digest.Digest,
    settings,
    slots,
    store: yield* JobStore
  }

  return Effect.fnUntraced(function* (key: MediaKey, assignment: TaskContext) {
    const { job, onProgress = () => Effect.void } = assignment
    const media = yield* mediaStore.open(key)
    const { initialPrompt, isDiarized, isVadFiltered, keywords, language, tracks } = job.request
    const counts = Struct.pick(job.request, ["speakerCount", "speakerCountMin", "speakerCountMax"])
    const audio = yield* decoder.decode(media, tracks)
    const recognised = yield* transcriber.transcribe({
      audio,
      language,
      initialPrompt,
      isVadFiltered,
      isDiarized,
      ...(keywords === undefined ? {} : { keywords }),
      ...counts,
      ...makePieceRecognition(shared, { assignment, audio }),
      onProgress
    })
    const transcript = toTranscript({
      recognised,
      durationMillis: durationMillis(audio),
      isDiarized
    })
    const warnings = warningsOf({ audio, isDiarized, recognised })
    return {
      transcript,
      peaks: audio.peaks,
      speakerCount: new Set(transcript.segments.map(({ speaker }) => speaker)).size,
      engine: storable(recognised.engine, engineLengthMax),
      ...(keywords === undefined ? {} : { areKeywordsUsed: recognised.areKeywordsUsed === true }),
      ...(Object.keys(counts).length === 0
        ? {}
        : { isSpeakerCountUsed: recognised.isSpeakerCountUsed === true }),
      ...(warnings.length === 0 ? {} : { warnings })
    }
  }, Effect.scoped)
})

/**
 * Creates a function that transcribes the recording of a job whose transcription is in the state
 * Running.
 */
export const makeTranscribe = Effect.gen(function* () {
  const limits = yield* MediaLimits
  const { isKept } = yield* MediaRetention
  const recognise = yield* makeRecognise

  return trace("Transcriptions.transcribe")(function* (assignment: TaskContext) {
    const { job, now } = assignment
    const { transcription } = job
    if (transcription._tag !== "Running") return yield* Effect.die(notBegun("Running"))
    const { peaks, transcript, ...made } = yield* recognise(
      transcription.media.key,
      assignment
    ).pipe(
      Effect.catchTags({
        MediaStoreError: (error) => Effect.fail(toFailure(error, limits)),
        AudioDecoderError: ({ reason }) => Effect.fail(reason),
        TranscriberError: ({ reason }) => Effect.fail(reason)
      })
    )
    const { durationMillis, language, segments } = transcript
    return {
      events: transcriptEvents(job, {
        at: yield* now,
        durationMillis,
        language,
        isEmpty: segments.length === 0,
        ...made,
        isMediaKept: isKept
      }),
      transcript: Option.some(transcript),
      ...(peaks === undefined ? {} : { peaks }),
      chargeMillis: Option.some(durationMillis)
    }
  })
})

const notBegun = (state: string) => `an attempt runs, but its job is not in ${state}`

const unreachable = ({ reason }: MediaFetcherError): Failure =>
  Failure.cases.MediaUnreachable.make({
    detail: reason._tag === "Unresolved" ? reason.code : reason.detail
  })

const toFailure = ({ reason }: MediaStoreError, limits: MediaLimits): Failure => {
  if (reason._tag === "TooLarge") {
    return Failure.cases.MediaTooLarge.make({ maxMegabytes: limits.maxFileMegabytes })
  }
  if (reason._tag === "Missing") return Failure.cases.MediaMissing.make({})
  return Failure.cases.StorageFailed.make({ detail: "the media store did not answer" })
}
