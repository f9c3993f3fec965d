/** Makes engines from the host's own functions. */
import { createReadStream, createWriteStream } from "node:fs"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pipeline } from "node:stream/promises"
import { Wave } from "@verbatim/adapters/engines"
import { Failure } from "@verbatim/core/attempt"
import {
  AudioDecoder,
  Readiness,
  type Recognised,
  type Recognition,
  Summarizer,
  SummarizerError,
  Transcriber,
  TranscriberError
} from "@verbatim/core/ports"
import {
  type DecodedAudio,
  durationMillis,
  Segment,
  sampleRate
} from "@verbatim/core/transcription"
import { Effect, Layer, Schema } from "effect"
import { EngineRefused, EngineUnavailable } from "../Errors.ts"
import type { EngineResult, Summarize, Transcribe } from "../Options.ts"
import { detailOf } from "./HostLog.ts"

const { EngineFailed, EngineRefused: Refusal, EngineUnavailable: Outage } = Failure.cases

/** Converts an error from the host's function to the failure of an attempt. */
const reasonOf = (fault: unknown) => {
  const detail = detailOf(fault)
  if (fault instanceof EngineUnavailable) return Outage.make({ detail })
  return fault instanceof EngineRefused ? Refusal.make({ detail }) : EngineFailed.make({ detail })
}

/** The result of the host's function. Timestamps, order and names are corrected later. */
const ResultShape = Schema.Struct({
  segments: Schema.Array(
    Schema.Struct({
      ...Segment.fields,
      startMillis: Schema.Finite,
      endMillis: Schema.Finite,
      speaker: Schema.optional(Schema.String),
      hasSpaceBefore: Schema.optional(Schema.Boolean),
      words: Schema.optional(
        Schema.Array(
          Schema.Struct({
            startMillis: Schema.Finite,
            endMillis: Schema.Finite,
            text: Schema.String
          })
        )
      )
    })
  ),
  language: Schema.optional(Schema.String),
  engine: Schema.optional(Schema.String),
  areKeywordsUsed: Schema.optional(Schema.Boolean),
  isSpeakerCountUsed: Schema.optional(Schema.Boolean)
})

const decodeResult = Schema.decodeUnknownEffect(ResultShape)

const temporaryFolder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "verbatim-wave-"))),
  (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
)

/** The length of the silence. A minute is long enough for a summary. */
const silentSamples = 60 * sampleRate

/** Decodes every recording as a minute of silence, without reading it. */
export const silentDecoder: Layer.Layer<AudioDecoder> = Layer.succeed(AudioDecoder, {
  decode: () =>
    Effect.flatMap(temporaryFolder, (folder) =>
      Effect.promise(async () => {
        const path = join(folder, "audio.raw")
        await writeFile(path, new Uint8Array(silentSamples * Wave.sampleBytes))
        return { path, sampleCount: silentSamples }
      })
    )
})

/** Writes the audio to a temporary WAV file, because hosts' engines read files. */
const writeWave = ({ path, sampleCount }: DecodedAudio) =>
  temporaryFolder.pipe(
    Effect.flatMap((folder) =>
      Effect.tryPromise({
        try: async (signal) => {
          const file = join(folder, "audio.wav")
          const target = createWriteStream(file)
          target.write(Wave.header(sampleCount))
          await pipeline(createReadStream(path), target, { signal })
          return file
        },
        catch: (fault) =>
          new TranscriberError({
            reason: Failure.cases.StorageFailed.make({ detail: detailOf(fault) })
          })
      })
    )
  )

/** The name of an engine that returns none. */
const unnamed = "host"

const toRecognised = (result: typeof ResultShape.Type, requested: string | null): Recognised => ({
  engine: result.engine ?? unnamed,
  language: result.language ?? requested ?? "und",
  areKeywordsUsed: result.areKeywordsUsed ?? false,
  isSpeakerCountUsed: result.isSpeakerCountUsed ?? false,
  segments: result.segments.map(({ hasSpaceBefore, speaker, words, ...segment }) => ({
    ...segment,
    speaker: speaker ?? "",
    ...(hasSpaceBefore === undefined ? {} : { hasSpaceBefore }),
    ...(words === undefined ? {} : { words })
  }))
})

/** Makes a transcriber from the host's function, and always treats the transcriber as ready. */
export const transcriber = (transcribe: Transcribe): Layer.Layer<Transcriber> =>
  Layer.succeed(Transcriber, {
    readiness: Effect.succeed(Readiness.cases.Ready.make({ engine: unnamed })),
    transcribe: Effect.fnUntraced(function* (wanted: Recognition) {
      const { audio, initialPrompt, isDiarized, isVadFiltered, language, onProgress } = wanted
      const { keywords = [], speakerCount = null } = wanted
      const { speakerCountMax = null, speakerCountMin = null } = wanted
      const path = yield* writeWave(audio)
      const run = Effect.runForkWith(yield* Effect.context<never>())
      const result: EngineResult = yield* Effect.tryPromise({
        // A function that returns or throws synchronously is treated like one that returns a
        // promise.
        try: async (signal) =>
          transcribe({
            path,
            durationMillis: durationMillis(audio),
            language,
            initialPrompt,
            keywords,
            isVadFiltered,
            isDiarized,
            speakerCount,
            speakerCountMin,
            speakerCountMax,
            signal,
            progress: (fraction) => {
              if (onProgress !== undefined) run(onProgress(Number(fraction)))
            }
          }),
        catch: (fault) => new TranscriberError({ reason: reasonOf(fault) })
      })
      const checked = yield* Effect.mapError(
        decodeResult(result),
        ({ message }) =>
          new TranscriberError({
            reason: EngineFailed.make({
              detail: `transcribe returned no valid segments: ${message}`
            })
          })
      )
      return toRecognised(checked, language)
    }, Effect.scoped)
  })

/** Makes a summarizer from the host's function. */
export const summarizer = (summarize: Summarize): Layer.Layer<Summarizer> =>
  Layer.succeed(Summarizer, {
    summarize: ({ transcript, type }) =>
      Effect.tryPromise({
        try: async (signal) => summarize({ type, transcript, signal }),
        catch: (fault) => new SummarizerError({ reason: reasonOf(fault) })
      }).pipe(
        Effect.filterOrFail(
          (summary) => typeof summary === "string",
          () =>
            new SummarizerError({
              reason: EngineFailed.make({ detail: "summarize returned no text" })
            })
        )
      )
  })
