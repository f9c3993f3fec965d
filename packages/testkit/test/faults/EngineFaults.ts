/** Decoders and summarizers with faults, around real ones. */
import { readFileSync } from "node:fs"
import { NodeFileSystem } from "@effect/platform-node"
import * as Ffmpeg from "@verbatim/adapters/ffmpeg"
import * as LexRank from "@verbatim/adapters/lexrank"
import {
  AudioDecoder,
  AudioDecoderError,
  Readiness,
  type Recognised,
  type Recognition,
  Summarizer,
  Transcriber,
  TranscriberError
} from "@verbatim/core/ports"
import { durationMillis, type Language, type Segment } from "@verbatim/core/transcription"
import { Context, Effect, FileSystem, Layer, Scope } from "effect"
import { Speech } from "#src/contracts/cases/TranscriberCases"
import { listFaults } from "./Fault.ts"

type DecoderPorts = AudioDecoder | FileSystem.FileSystem

/** One for all cases: it keeps nothing between them but its code, which is slow to compile. */
const decoder = Effect.runSync(
  Effect.cached(
    Effect.scoped(Effect.map(Layer.build(Ffmpeg.layerWasm()), Context.get(AudioDecoder)))
  )
)

export const soundDecoder: Layer.Layer<DecoderPorts> = Layer.merge(
  Layer.effect(AudioDecoder, decoder),
  NodeFileSystem.layer
)

const decoding = (
  change: (
    decode: AudioDecoder["Service"]["decode"],
    layerScope: Scope.Scope
  ) => AudioDecoder["Service"]["decode"]
): Layer.Layer<DecoderPorts> =>
  Layer.effect(
    AudioDecoder,
    Effect.gen(function* () {
      const { decode } = yield* AudioDecoder
      return { decode: change(decode, yield* Effect.scope) }
    })
  ).pipe(Layer.provideMerge(soundDecoder))

export const audioDecoderFaults = listFaults<DecoderPorts>({
  // Counts bytes for samples.
  "gives the samples of plain audio as they are": decoding(
    (decode) => (media) =>
      Effect.map(decode(media), ({ path, sampleCount }) => ({
        path,
        sampleCount: sampleCount * 2
      }))
  ),
  // Takes the peaks of another recording.
  "tells peaks, if any, of the samples that it gives": decoding(
    (decode) => (media) =>
      Effect.map(decode(media), (audio) => ({
        ...audio,
        peaks: { sampleCount: audio.sampleCount, interval: audio.sampleCount, values: [-1, 1] }
      }))
  ),
  // Takes the length from the size of the media.
  "makes 16 kHz and one channel of any other audio": decoding(
    (decode) => (media) =>
      Effect.map(decode(media), ({ path }) => ({
        path,
        sampleCount: Math.round((media.byteLength - 44) / 2)
      }))
  ),
  // Calls a recording without samples broken.
  "finds no audio where there is no sample": decoding(
    (decode) => (media) =>
      Effect.mapError(
        decode(media),
        () => new AudioDecoderError({ reason: { _tag: "MediaUndecodable", detail: "" } })
      )
  ),
  // Gives silence for what it cannot decode.
  "refuses what is no media": decoding(
    (decode) => (media) =>
      Effect.catch(decode(media), () => Effect.succeed({ path: media.path, sampleCount: 1 }))
  ),
  // Follows a list to the files it names.
  "opens nothing but the media, whatever the media asks for": decoding(
    (decode) => (media) =>
      Effect.catch(decode(media), (error) => {
        const path = /\/\S+\.wav/.exec(readFileSync(media.path, "latin1"))?.[0]
        return path === undefined ? Effect.fail(error) : decode({ ...media, path })
      })
  ),
  // Keeps its files until the process ends.
  "removes its file with the scope": decoding(
    (decode, scope) => (media) => Scope.provide(decode(media), scope)
  )
})

const summarizing = (
  change: (summarize: Summarizer["Service"]["summarize"]) => Summarizer["Service"]["summarize"]
): Layer.Layer<Summarizer> =>
  Layer.effect(
    Summarizer,
    Effect.map(Summarizer, ({ summarize }) => ({ summarize: change(summarize) }))
  ).pipe(Layer.provide(LexRank.layer))

export const soundSummarizer = LexRank.layer

export const summarizerFaults = listFaults<Summarizer>({
  // Takes everything for a brief summary.
  "makes 2 to 3 sentences of brief": summarizing(
    () =>
      ({ transcript }) =>
        Effect.succeed(transcript.segments.map(({ text }) => text).join(" "))
  ),
  // Makes a paragraph of every sentence.
  "makes 1 to 3 paragraphs of medium": summarizing(
    () =>
      ({ transcript }) =>
        Effect.succeed(transcript.segments.map(({ text }) => text).join("\n\n"))
  ),
  // Knows one type only.
  "makes a digest, an executive summary and sections of long": summarizing(
    (summarize) => (request) => summarize({ ...request, type: "brief" })
  ),
  // Has nothing to say about short recordings.
  "makes something of everything that was said": summarizing(
    (summarize) => (request) =>
      request.transcript.segments.length < 2 ? Effect.succeed("") : summarize(request)
  )
})

type TranscriberPorts = Transcriber | Speech | FileSystem.FileSystem

const spoken = "I will write the letter tomorrow"

/** What the scripted recogniser hears when it is not told, and what it cannot do. */
const detected = "ta"
const unsupported: Language = "cy"

const languageError = (language: string) =>
  new TranscriberError({ reason: { _tag: "LanguageUnsupported", language } })

/** Speech that is not silence, and a recogniser that hears all such speech as `spoken`. */
const recognising = (
  change: (heard: Recognised) => Recognised,
  refuses: (language: Language | null) => boolean = (language) => language === unsupported
): Layer.Layer<TranscriberPorts> =>
  Layer.unwrap(
    Effect.gen(function* () {
      const files = yield* FileSystem.FileSystem
      const path = `${yield* Effect.orDie(files.makeTempDirectoryScoped())}/speech`
      const sampleCount = 32_000
      yield* Effect.orDie(files.writeFile(path, new Uint8Array(sampleCount * 2).fill(7)))
      const gone = new TranscriberError({ reason: { _tag: "StorageFailed", detail: "gone" } })
      const transcribe = Effect.fnUntraced(function* ({ audio, language }: Recognition) {
        const bytes = yield* Effect.mapError(files.readFile(audio.path), () => gone)
        const isSilent = bytes.every((byte) => byte === 0)
        const segments = isSilent ? [] : segmentsOf(durationMillis(audio))
        const heard = { engine: "scripted", language: language ?? detected, segments }
        if (refuses(language)) return yield* languageError(language ?? detected)
        return change(heard)
      })
      return Layer.merge(
        Layer.succeed(Speech, {
          audio: { path, sampleCount },
          text: spoken,
          language: "en",
          detected,
          unsupported
        }),
        Layer.succeed(Transcriber, {
          readiness: Effect.succeed(Readiness.cases.Ready.make({ engine: "scripted" })),
          transcribe
        })
      )
    })
  ).pipe(Layer.provideMerge(NodeFileSystem.layer))

const segmentsOf = (endMillis: number): ReadonlyArray<Segment> =>
  spoken.split(" ").map((text, index, words) => ({
    startMillis: Math.floor((endMillis * index) / words.length),
    endMillis: Math.floor((endMillis * (index + 1)) / words.length),
    speaker: "speaker_0",
    text
  }))

const segmentwise =
  (change: (segment: Segment) => Segment) =>
  (heard: Recognised): Recognised => ({ ...heard, segments: heard.segments.map(change) })

/** Every segment as two, the second of which begins in the middle of a word. */
const halving =
  (second: Pick<Segment, "hasSpaceBefore">) =>
  (heard: Recognised): Recognised => ({
    ...heard,
    segments: heard.segments.flatMap(({ endMillis, startMillis, text, ...segment }) => {
      const [at, millis] = [Math.ceil(text.length / 2), Math.floor((startMillis + endMillis) / 2)]
      return [
        { ...segment, startMillis, endMillis: millis, text: text.slice(0, at) },
        { ...segment, startMillis: millis, endMillis, text: text.slice(at), ...second }
      ]
    })
  })

/** It cuts words in two, and says so. */
export const soundTranscriber = recognising(halving({ hasSpaceBefore: false }))

export const transcriberFaults = listFaults<TranscriberPorts>({
  // Understands nothing.
  "recognises most words, in the language asked for, and names its engine": recognising(
    segmentwise((segment) => ({ ...segment, text: "the" }))
  ),
  // Fails where it detects a language that nobody may ask for.
  "recognises them in whatever language it detects, and tells its code": recognising(
    (heard) => heard,
    (language) => language === null || language === unsupported
  ),
  // Does its best in a language that it cannot do.
  "refuses a language that it cannot do": recognising(
    (heard) => heard,
    () => false
  ),
  // Has no code for the language of silence.
  "hears nothing in silence": recognising((heard) =>
    heard.segments.length > 0 ? heard : { ...heard, language: "" }
  ),
  // Hears beyond the end.
  "gives segments in order of time, within the audio, and the same ones twice at once": recognising(
    segmentwise((segment) => ({ ...segment, endMillis: 60_000 }))
  )
})
