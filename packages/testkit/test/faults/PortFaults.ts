/** Faulty media stores, fetchers, senders and engines. */
import { NodeFileSystem } from "@effect/platform-node"
import * as LexRank from "@verbatim/adapters/lexrank"
import * as Net from "@verbatim/adapters/net"
import * as Networks from "@verbatim/core/outbound"
import {
  AudioDecoder,
  MediaFetcher,
  MediaStore,
  recogniseUnstored,
  Summarizer,
  WebhookSender
} from "@verbatim/core/ports"
import type { PieceResult } from "@verbatim/core/transcription"
import { Effect, Layer, Result, Stream } from "effect"
import { FakeMedia } from "#src/fakes/FakeMedia"
import { LocalMediaHosts, LocalReceivers } from "#src/servers/LocalServers"
import { listFaults } from "./Fault.ts"
import { pieceEngine } from "./PieceEngine.ts"

const mediaStore = (change: (store: MediaStore["Service"]) => Partial<MediaStore["Service"]>) =>
  Layer.effect(
    MediaStore,
    MediaStore.useSync((store) => ({ ...store, ...change(store) }))
  ).pipe(Layer.provide(FakeMedia.layer), Layer.merge(NodeFileSystem.layer))

export const mediaStoreFaults = listFaults({
  // Accepts one byte too many.
  "accepts content up to the limit, and discards content that is one byte longer": mediaStore(
    ({ put }) => ({ put: (given) => put({ ...given, byteMax: given.byteMax + 1 }) })
  ),
  // If several markers are written concurrently, the last one replaces the others.
  "keeps the first marker when other callers try to write another marker": mediaStore(
    ({ mark }) => ({
      mark: (marker) => mark(marker, { isReplacing: true })
    })
  )
})

const allowedNetworks = Result.getOrThrow(Networks.fromText("127.0.0.0/8"))

const soundMediaFetcher = Layer.merge(
  Net.GuardedMediaFetcher.layer({ allowedNetworks }),
  LocalMediaHosts.layer
)

const fetching = (change: (service: MediaFetcher["Service"]) => MediaFetcher["Service"]["fetch"]) =>
  Layer.effect(
    MediaFetcher,
    MediaFetcher.useSync((service) => ({ ...service, fetch: change(service) }))
  ).pipe(Layer.provideMerge(soundMediaFetcher))

export const mediaFetcherFaults = listFaults({
  // Sends a probe request before it fetches the content.
  "returns the content byte for byte after only one request": fetching(
    ({ check, fetch }) =>
      (url) =>
        Effect.andThen(check(url), fetch(url))
  ),
  // Accepts truncated content as complete.
  "fails when the content is shorter than the announced length": fetching(
    ({ fetch }) =>
      (url) =>
        Effect.map(fetch(url), ({ content, ...remote }) => ({
          ...remote,
          content: Stream.catch(content, () => Stream.empty)
        }))
  )
})

export const webhookSenderFaults = listFaults({
  // Retries a request after the connection breaks.
  "fails after one request when the receiver closes the connection without a response":
    Layer.effect(
      WebhookSender,
      WebhookSender.useSync(({ post }) => ({
        post: (request) => Effect.retry(post(request), { times: 1 })
      }))
    ).pipe(
      Layer.provide(Net.GuardedWebhookSender.layer({ allowedNetworks })),
      Layer.merge(LocalReceivers.layer)
    )
})

export const audioDecoderFaults = listFaults({
  // Decodes every file to a single audio sample.
  "returns the samples of plain audio unchanged": Layer.merge(
    Layer.succeed(AudioDecoder, {
      decode: ({ path }) => Effect.succeed({ path, sampleCount: 1 })
    }),
    NodeFileSystem.layer
  )
})

export const summarizerFaults = listFaults({
  // Supports only one media type.
  "writes a digest, an executive summary and sections for `long`": Layer.effect(
    Summarizer,
    Summarizer.useSync(({ summarize }) => ({
      summarize: (request) => summarize({ ...request, type: "brief" })
    }))
  ).pipe(Layer.provide(LexRank.layer))
})

const cutCase = "cuts equal recordings equally, with settings that differ for another language"
const lengthCase = "cuts pieces of at most 30 s, in order and without overlaps"
const missingCase =
  "recognises only the piece whose result is not stored, and returns the same result"
const storedCase = "returns the same result if all pieces are stored, and recognises nothing"

/** An engine with results that depend on how often it was called. */
const counting = () => {
  let count = 0
  return pieceEngine({
    recognisePieces: (recognisePieces) => (plan) =>
      recognisePieces({
        ...plan,
        recognise: (piece, before) =>
          Effect.map(plan.recognise(piece, before), ({ segments }) => {
            count += 1
            return { segments: segments.map((each) => ({ ...each, text: `${count}` })) }
          })
      })
  })
}

/** An engine that returns its own results from an earlier run instead of the stored results. */
const remembering = () => {
  let known: ReadonlyArray<PieceResult> | undefined
  return pieceEngine({
    recognisePieces: (recognisePieces) => (plan) =>
      Effect.map(recognisePieces(plan), (results) => {
        known ??= results
        return known
      })
  })
}

/** An engine that cuts a recording in a different place each time. */
const cuttingElsewhere = () => {
  let shift = 0
  return pieceEngine({
    cut: (cut) => {
      shift += 1
      return cut.map(({ from, to }) => ({ from: from + shift, to }))
    }
  })
}

export const transcriberFaults = [
  ...listFaults({
    // An engine that recognises nothing.
    "recognises most words in the requested language, and names its engine": pieceEngine({
      recognisePieces: () => () => Effect.succeed([])
    }),
    // An engine that omits the language from the settings of its pieces.
    [cutCase]: pieceEngine({ settings: () => "loudness" }),
    // An engine that treats a whole recording as one piece.
    [lengthCase]: pieceEngine({
      cut: (cut) => [{ from: 0, to: cut.at(-1)?.to ?? 0 }]
    }),
    // An engine that recognises all pieces again, even stored ones.
    [missingCase]: pieceEngine({
      recognisePieces: (recognisePieces) => (plan) =>
        Effect.andThen(recognisePieces(plan), recogniseUnstored(plan))
    }),
    // An engine that reads the audio even for stored pieces.
    [storedCase]: pieceEngine({
      recognisePieces: (recognisePieces) => (plan) =>
        Effect.tap(recognisePieces(plan), () => plan.recognise({ from: 0, to: 1 }, []))
    })
  }),
  ...listFaults({
    // An engine that puts the path of a temporary file into the settings of its pieces.
    [cutCase]: pieceEngine({ settings: ({ audio, language }) => [audio.path, language] }),
    // An engine that cuts overlapping pieces.
    [lengthCase]: pieceEngine({
      cut: (cut) => cut.map(({ from, to }) => ({ from: Math.max(from - 1, 0), to }))
    }),
    [missingCase]: counting(),
    [storedCase]: remembering()
  }),
  ...listFaults({
    [cutCase]: cuttingElsewhere(),
    // An engine that never stores its pieces.
    [lengthCase]: pieceEngine({ recognisePieces: () => recogniseUnstored })
  })
]
