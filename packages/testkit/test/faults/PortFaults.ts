/** Faulty media stores, fetchers, senders and engines. */
import { createServer } from "node:http"
import { text } from "node:stream/consumers"
import { NodeFileSystem } from "@effect/platform-node"
import * as LexRank from "@verbatim/adapters/lexrank"
import * as Net from "@verbatim/adapters/net"
import * as Networks from "@verbatim/core/outbound"
import {
  AudioDecoder,
  MediaFetcher,
  MediaStore,
  Readiness,
  Summarizer,
  Transcriber,
  WebhookSender
} from "@verbatim/core/ports"
import { Effect, Layer, Result, Stream } from "effect"
import { Speech } from "#src/contracts/cases/TranscriberCases"
import { type Arrived, type Manner, Receivers } from "#src/contracts/cases/WebhookSenderCases"
import { FakeMedia } from "#src/fakes/FakeMedia"
import { listen } from "#src/servers/FreePort"
import * as LocalMediaHosts from "#src/servers/LocalMediaHosts"
import { listFaults } from "./Fault.ts"

const mediaStore = (change: (store: MediaStore["Service"]) => Partial<MediaStore["Service"]>) =>
  Layer.effect(
    MediaStore,
    Effect.map(MediaStore, (store) => ({ ...store, ...change(store) }))
  ).pipe(Layer.provide(FakeMedia.layer), Layer.merge(NodeFileSystem.layer))

export const mediaStoreFaults = listFaults({
  // Accepts one byte too many.
  "accepts content up to the limit, and refuses and discards content one byte longer": mediaStore(
    ({ put }) => ({ put: (given) => put({ ...given, byteMax: given.byteMax + 1 }) })
  ),
  // Lets the last marker win.
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
    Effect.map(MediaFetcher, (service) => ({ ...service, fetch: change(service) }))
  ).pipe(Layer.provideMerge(soundMediaFetcher))

export const mediaFetcherFaults = listFaults({
  // Sends a check before it fetches the content.
  "returns the content byte for byte after only one request": fetching(
    ({ check, fetch }) =>
      (url) =>
        Effect.andThen(check(url), fetch(url))
  ),
  // Accepts truncated content as complete.
  "fails when the content ends before its announced length": fetching(
    ({ fetch }) =>
      (url) =>
        Effect.map(fetch(url), ({ content, ...remote }) => ({
          ...remote,
          content: Stream.catch(content, () => Stream.empty)
        }))
  )
})

const serverOf = (manner: Manner, arrived: Array<Arrived>) =>
  createServer(async (request, response) => {
    const body = await text(request)
    const headers = Object.entries(request.headers).map(([name, value]) => [name, `${value}`])
    const { method = "", url: path = "" } = request
    arrived.push({ method, path, headers: Object.fromEntries(headers), body })
    if (manner._tag === "Closes") request.socket.destroy()
    if (manner._tag === "Answers") response.writeHead(manner.status, { ...manner.headers }).end()
  })

const receivers = Layer.succeed(Receivers, {
  open: (manner) =>
    Effect.suspend(() => {
      const arrived: Array<Arrived> = []
      const server = serverOf(manner, arrived)
      return Effect.map(listen(server), (origin) => ({
        origin,
        arrived: Effect.sync(() => [...arrived])
      }))
    })
})

export const webhookSenderFaults = listFaults({
  // Tries again after a connection breaks.
  "fails after one request when the receiver closes the connection without an answer": Layer.effect(
    WebhookSender,
    Effect.map(WebhookSender, ({ post }) => ({
      post: (request) => Effect.retry(post(request), { times: 1 })
    }))
  ).pipe(Layer.provide(Net.GuardedWebhookSender.layer({ allowedNetworks })), Layer.merge(receivers))
})

export const audioDecoderFaults = listFaults({
  // Decodes every file to a single sample.
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
    Effect.map(Summarizer, ({ summarize }) => ({
      summarize: (request) => summarize({ ...request, type: "brief" })
    }))
  ).pipe(Layer.provide(LexRank.layer))
})

export const transcriberFaults = listFaults({
  // Recognises nothing.
  "recognises most words in the requested language, and names its engine": Layer.mergeAll(
    Layer.succeed(Speech, {
      audio: { path: "/dev/null", sampleCount: 32_000 },
      text: "I will write the letter tomorrow",
      language: "en",
      detected: "en",
      unsupported: "cy"
    }),
    Layer.succeed(Transcriber, {
      readiness: Effect.succeed(Readiness.cases.Ready.make({ engine: "deaf" })),
      transcribe: () => Effect.succeed({ engine: "deaf", language: "en", segments: [] })
    }),
    NodeFileSystem.layer
  )
})
