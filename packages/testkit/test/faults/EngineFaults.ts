/** Decoders and summarizers with faults, around real ones. */
import { readFileSync } from "node:fs"
import { NodeFileSystem } from "@effect/platform-node"
import * as Ffmpeg from "@verbatim/adapters/ffmpeg"
import * as LexRank from "@verbatim/adapters/lexrank"
import { AudioDecoder, AudioDecoderError, Summarizer } from "@verbatim/core/ports"
import { Context, Effect, type FileSystem, Layer, Scope } from "effect"
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
  "gives the samples of plain audio as they are": {
    "counts bytes for samples": decoding(
      (decode) => (media) =>
        Effect.map(decode(media), ({ path, sampleCount }) => ({
          path,
          sampleCount: sampleCount * 2
        }))
    )
  },
  "tells peaks, if any, of the samples that it gives": {
    "takes the peaks of another recording": decoding(
      (decode) => (media) =>
        Effect.map(decode(media), (audio) => ({
          ...audio,
          peaks: { sampleCount: audio.sampleCount, interval: audio.sampleCount, values: [-1, 1] }
        }))
    )
  },
  "makes 16 kHz and one channel of any other audio": {
    "takes the length from the size of the media": decoding(
      (decode) => (media) =>
        Effect.map(decode(media), ({ path }) => ({
          path,
          sampleCount: Math.round((media.byteLength - 44) / 2)
        }))
    )
  },
  "finds no audio where there is no sample": {
    "calls a recording without samples broken": decoding(
      (decode) => (media) =>
        Effect.mapError(
          decode(media),
          () => new AudioDecoderError({ reason: { _tag: "MediaUndecodable", detail: "" } })
        )
    )
  },
  "refuses what is no media": {
    "gives silence for what it cannot decode": decoding(
      (decode) => (media) =>
        Effect.catch(decode(media), () => Effect.succeed({ path: media.path, sampleCount: 1 }))
    )
  },
  "opens nothing but the media, whatever the media asks for": {
    "follows a list to the files it names": decoding(
      (decode) => (media) =>
        Effect.catch(decode(media), (error) => {
          const path = /\/\S+\.wav/.exec(readFileSync(media.path, "latin1"))?.[0]
          return path === undefined ? Effect.fail(error) : decode({ ...media, path })
        })
    )
  },
  "removes its file with the scope": {
    "keeps its files until the process ends": decoding(
      (decode, scope) => (media) => Scope.provide(decode(media), scope)
    )
  }
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
  "makes 2 to 3 sentences of brief": {
    "takes everything for a brief summary": summarizing(
      () =>
        ({ transcript }) =>
          Effect.succeed(transcript.segments.map(({ text }) => text).join(" "))
    )
  },
  "makes 1 to 3 paragraphs of medium": {
    "makes a paragraph of every sentence": summarizing(
      () =>
        ({ transcript }) =>
          Effect.succeed(transcript.segments.map(({ text }) => text).join("\n\n"))
    )
  },
  "makes a digest, an executive summary and sections of long": {
    "knows one type only": summarizing(
      (summarize) => (request) => summarize({ ...request, type: "brief" })
    )
  },
  "makes something of everything that was said": {
    "has nothing to say about short recordings": summarizing(
      (summarize) => (request) =>
        request.transcript.segments.length < 2 ? Effect.succeed("") : summarize(request)
    )
  }
})
