/** Runs the port contracts against the adapters shown in `docs/adapters.md`. */
import { randomBytes } from "node:crypto"
import { layer as nodeFileSystem } from "@effect/platform-node/NodeFileSystem"
import * as Filesystem from "@verbatim/adapters/filesystem"
import {
  MediaStoreContract,
  SummarizerContract,
  TranscriberContract,
  WebhookSenderContract
} from "@verbatim/testkit/contracts"
import { LocalReceivers } from "@verbatim/testkit/servers"
import { Effect, FileSystem, Layer } from "effect"
import * as FirstSentences from "./FirstSentences.ts"
import * as LoudnessTranscriber from "./LoudnessTranscriber.ts"
import * as PlainSender from "./PlainSender.ts"
import * as SealedMedia from "./SealedMedia.ts"

SummarizerContract.suite("first sentences", FirstSentences.layer)

const text = "Good morning from the harbour."

const speech = Layer.effect(
  TranscriberContract.Speech,
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const path = `${yield* files.makeTempDirectoryScoped()}/speech`
    const sampleCount = 16_000
    yield* files.writeFile(path, new Uint8Array(sampleCount * 2).fill(7))
    const audio = { path, sampleCount }
    return { audio, text, language: "en" as const, detected: "en", unsupported: "de" as const }
  })
)

TranscriberContract.suite(
  "loudness",
  Layer.merge(LoudnessTranscriber.layer(text), speech).pipe(Layer.provideMerge(nodeFileSystem)),
  { skip: TranscriberContract.skipPieces("it recognises a recording as a whole") }
)

const folder = Layer.unwrap(
  Effect.map(
    Effect.flatMap(FileSystem.FileSystem, (files) => files.makeTempDirectoryScoped()),
    (directory) => Filesystem.layer({ directory })
  )
)

MediaStoreContract.suite(
  "sealed",
  SealedMedia.layer(randomBytes(32)).pipe(Layer.provide(folder), Layer.provideMerge(nodeFileSystem))
)

WebhookSenderContract.suite("plain", Layer.merge(PlainSender.layer, LocalReceivers.layer))
