/** Engines with faults. Decoder and summarizer are real, the recogniser is scripted. */
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
import { durationMillis, type Segment } from "@verbatim/core/transcription"
import { Effect, FileSystem, Layer, Scope } from "effect"
import { Speech } from "#src/contracts/cases/TranscriberCases"
import type { Fault } from "./Fault.ts"

type DecoderPorts = AudioDecoder | FileSystem.FileSystem

export const soundDecoder: Layer.Layer<DecoderPorts> = Layer.merge(
  Ffmpeg.layerWasm(),
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

export const audioDecoderFaults: ReadonlyArray<Fault<DecoderPorts>> = [
  {
    fault: "counts bytes for samples",
    foundBy: "gives the samples of plain audio as they are",
    layer: decoding(
      (decode) => (media) =>
        Effect.map(decode(media), ({ path, sampleCount }) => ({
          path,
          sampleCount: sampleCount * 2
        }))
    )
  },
  {
    fault: "takes the length from the size of the media",
    foundBy: "makes 16 kHz and one channel of any other audio",
    layer: decoding(
      (decode) => (media) =>
        Effect.map(decode(media), ({ path }) => ({
          path,
          sampleCount: Math.round((media.byteLength - 44) / 2)
        }))
    )
  },
  {
    fault: "calls a recording without samples broken",
    foundBy: "finds no audio where there is no sample",
    layer: decoding(
      (decode) => (media) =>
        Effect.mapError(
          decode(media),
          () => new AudioDecoderError({ reason: { _tag: "MediaUndecodable", detail: "" } })
        )
    )
  },
  {
    fault: "gives silence for what it cannot decode",
    foundBy: "refuses what is no media",
    layer: decoding(
      (decode) => (media) =>
        Effect.catch(decode(media), () => Effect.succeed({ path: media.path, sampleCount: 1 }))
    )
  },
  {
    fault: "follows a list to the files it names",
    foundBy: "opens nothing but the media, whatever the media asks for",
    layer: decoding(
      (decode) => (media) =>
        Effect.catch(decode(media), (error) => {
          const path = /\/\S+\.wav/.exec(readFileSync(media.path, "latin1"))?.[0]
          return path === undefined ? Effect.fail(error) : decode({ ...media, path })
        })
    )
  },
  {
    fault: "keeps its files until the process ends",
    foundBy: "removes its file with the scope",
    layer: decoding((decode, scope) => (media) => Scope.provide(decode(media), scope))
  }
]

const summarizing = (
  change: (summarize: Summarizer["Service"]["summarize"]) => Summarizer["Service"]["summarize"]
): Layer.Layer<Summarizer> =>
  Layer.effect(
    Summarizer,
    Effect.map(Summarizer, ({ summarize }) => ({ summarize: change(summarize) }))
  ).pipe(Layer.provide(LexRank.layer))

export const soundSummarizer = LexRank.layer

export const summarizerFaults: ReadonlyArray<Fault<Summarizer>> = [
  {
    fault: "takes everything for a brief summary",
    foundBy: "makes 2 to 3 sentences of brief",
    layer: summarizing(
      () =>
        ({ transcript }) =>
          Effect.succeed(transcript.segments.map(({ text }) => text).join(" "))
    )
  },
  {
    fault: "makes a paragraph of every sentence",
    foundBy: "makes 1 to 3 paragraphs of medium",
    layer: summarizing(
      () =>
        ({ transcript }) =>
          Effect.succeed(transcript.segments.map(({ text }) => text).join("\n\n"))
    )
  },
  {
    fault: "knows one type only",
    foundBy: "makes a digest, an executive summary and sections of long",
    layer: summarizing((summarize) => (request) => summarize({ ...request, type: "brief" }))
  },
  {
    fault: "has nothing to say about short recordings",
    foundBy: "makes something of everything that was said",
    layer: summarizing(
      (summarize) => (request) =>
        request.transcript.segments.length < 2 ? Effect.succeed("") : summarize(request)
    )
  }
]

type TranscriberPorts = Transcriber | Speech | FileSystem.FileSystem

const spoken = "I will write the letter tomorrow"

/** Speech that is not silence, and a recogniser that hears all such speech as `spoken`. */
const recognising = (change: (heard: Recognised) => Recognised): Layer.Layer<TranscriberPorts> =>
  Layer.unwrap(
    Effect.gen(function* () {
      const files = yield* FileSystem.FileSystem
      const path = `${yield* Effect.orDie(files.makeTempDirectoryScoped())}/speech`
      const sampleCount = 32_000
      yield* Effect.orDie(files.writeFile(path, new Uint8Array(sampleCount * 2).fill(7)))
      const gone = new TranscriberError({ reason: { _tag: "StorageFailed", detail: "gone" } })
      const transcribe = ({ audio, language }: Recognition) =>
        Effect.map(
          Effect.mapError(files.readFile(audio.path), () => gone),
          (bytes) => {
            const isSilent = bytes.every((byte) => byte === 0)
            const segments = isSilent ? [] : segmentsOf(durationMillis(audio))
            return change({ engine: "scripted", language: language ?? "en", segments })
          }
        )
      return Layer.merge(
        Layer.succeed(Speech, { audio: { path, sampleCount }, language: "en", text: spoken }),
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

export const soundTranscriber = recognising((heard) => heard)

export const transcriberFaults: ReadonlyArray<Fault<TranscriberPorts>> = [
  {
    fault: "understands nothing",
    foundBy: "recognises most words, in the language asked for",
    layer: recognising(segmentwise((segment) => ({ ...segment, text: "the" })))
  },
  {
    fault: "tells its own language",
    foundBy: "recognises most words, in the language asked for",
    layer: recognising((heard) => ({ ...heard, language: "de" }))
  },
  {
    fault: "gives segments backwards",
    foundBy: "gives segments in order of time, within the audio",
    layer: recognising((heard) => ({ ...heard, segments: heard.segments.toReversed() }))
  },
  {
    fault: "gives seconds for milliseconds",
    foundBy: "gives segments in order of time, within the audio",
    layer: recognising(
      segmentwise((segment) => ({
        ...segment,
        startMillis: segment.startMillis / 1_000,
        endMillis: segment.endMillis / 1_000
      }))
    )
  },
  {
    fault: "hears beyond the end",
    foundBy: "gives segments in order of time, within the audio",
    layer: recognising(segmentwise((segment) => ({ ...segment, endMillis: 60_000 })))
  },
  {
    fault: "hears voices in silence",
    foundBy: "hears nothing in silence",
    layer: recognising((heard) => ({
      ...heard,
      segments: heard.segments.length > 0 ? heard.segments : segmentsOf(3_000)
    }))
  }
]
