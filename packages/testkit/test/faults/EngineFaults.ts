/** Decoders and summarizers with faults, around real ones. */
import { readFileSync } from "node:fs"
import { NodeFileSystem } from "@effect/platform-node"
import * as Ffmpeg from "@verbatim/adapters/ffmpeg"
import * as LexRank from "@verbatim/adapters/lexrank"
import { AudioDecoder, AudioDecoderError, Summarizer } from "@verbatim/core/ports"
import { Context, Effect, type FileSystem, Layer, Scope } from "effect"
import type { Fault } from "./Fault.ts"

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
