/**
 * Provides recordings of human speech and their words, from the Debian package
 * pocketsphinx-testdata (BSD-2): five sentences from a novel and five hands of cards, read aloud.
 * The package is unpacked in the cache folder only once.
 */
import { join } from "node:path"
import { layer as nodeServices } from "@effect/platform-node/NodeServices"
import type { Report } from "@verbatim/adapters/pocketsphinx"
import { Effect, FileSystem } from "effect"
import { unpackPackages } from "./DebianPackages.ts"

/** A recording, and the words spoken in it. */
export interface Clip {
  readonly path: string
  readonly words: string
}

/** Recordings of one kind, with some of their words as keywords. */
export interface SpeechSet {
  readonly title: string
  readonly clips: ReadonlyArray<Clip>
  readonly keywords: ReadonlyArray<string>
}

const packageName = "pocketsphinx-testdata"

/** The folder of the recordings within the package. */
const recordings = "usr/share/pocketsphinx/test/data"

const sets = [
  {
    title: "sentences, read by a human",
    folder: "librivox",
    transcripts: "transcription",
    keywords: ["Dashwood", "prudently", "amiable", "respectable"]
  },
  {
    title: "hands of cards, spoken by a human",
    folder: "cards",
    transcripts: "cards.transcription",
    keywords: ["clubs", "spades", "hearts", "queen"]
  }
]

/** Parses lines such as `<s> ten of clubs </s> (001)`. */
const parse = (text: string, folder: string): ReadonlyArray<Clip> =>
  Array.from(text.matchAll(/^<s>(.*)<\/s> \((.+)\)$/gm), ([, words = "", name]) => ({
    path: join(folder, `${name}.wav`),
    words: words.trim()
  }))

/** Returns the recordings, and downloads those that are not in the cache. */
export const humanSpeech = Effect.fnUntraced(
  function* (options: { readonly cacheDirectory: string; readonly report: Report }) {
    const fs = yield* FileSystem.FileSystem
    const folder = yield* unpackPackages(`${packageName}-1`, {
      ...options,
      packages: Effect.succeed([packageName])
    })
    return yield* Effect.forEach(sets, ({ keywords, title, transcripts, ...set }) => {
      const place = join(folder, recordings, set.folder)
      return Effect.map(
        fs.readFileString(join(place, transcripts)),
        (text): SpeechSet => ({ title, keywords, clips: parse(text, place) })
      )
    })
  },
  Effect.scoped,
  Effect.provide(nodeServices)
)
