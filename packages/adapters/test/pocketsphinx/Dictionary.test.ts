import { join } from "node:path"
import { layer as nodeServices } from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem, Option } from "effect"
import { keepWords, shorten, wordsOf } from "#src/pocketsphinx/Dictionary"
import * as PocketsphinxTranscriber from "#src/pocketsphinx/PocketsphinxTranscriber"
import { decodedClip, recogniser, sentence } from "./Recogniser.ts"

/**
 * Makes a language model with these words. The reader skips everything between the model's header
 * and the list of words.
 */
const modelOf = (words: ReadonlyArray<string>) => {
  const tail = Buffer.from(words.map((word) => `${word}\0`).join(""), "latin1")
  const numbers = Buffer.alloc(8)
  numbers.writeUInt32LE(words.length, 0)
  numbers.writeUInt32LE(tail.length, 4)
  const [count, length] = [numbers.subarray(0, 4), numbers.subarray(4)]
  return Buffer.concat([
    Buffer.from("Trie Language Model\x03"),
    count,
    Buffer.alloc(9),
    length,
    tail
  ])
}

const argumentAfter = (name: string) =>
  recogniser?.modelArguments[recogniser.modelArguments.indexOf(name) + 1] ?? ""

/**
 * Whether the recogniser was unpacked by the installer. If it belongs to the system, the location
 * of its files is unknown.
 */
const isUnpacked = recogniser !== undefined && recogniser.modelArguments.length > 0

describe("Dictionary", () => {
  it("reads the words at the end of a language model, and no words from other files", () => {
    const words = ["</s>", "a", "will"]
    const found = Option.getOrThrow(wordsOf(modelOf(words)))
    assert.deepStrictEqual(
      words.map((word) => found.has(word)),
      [true, true, true]
    )
    assert.isTrue(Option.isNone(wordsOf(modelOf(words).subarray(0, -1))))
    assert.isTrue(Option.isNone(wordsOf(Buffer.from("\\data\\\nngram 1=3\n"))))
  })

  it("keeps the entries of known words, with all their pronunciations", () => {
    const dictionary = "a AH\na(2) EY\nzebra Z IY B R AH\nwill W IH L\nwill(2) W AH L\n"
    assert.strictEqual(
      keepWords(dictionary, new Set(["a", "will"])),
      "a AH\na(2) EY\nwill W IH L\nwill(2) W AH L\n"
    )
  })

  it.live.runIf(isUnpacked)("does not change the recognised text", () =>
    Effect.gen(function* () {
      if (recogniser === undefined) return
      const fs = yield* FileSystem.FileSystem
      const dictionary = join(yield* fs.makeTempDirectoryScoped(), "short.dict")
      yield* fs.copyFile(argumentAfter("-dict"), dictionary)
      yield* shorten({ languageModel: argumentAfter("-lm"), dictionary })
      const entries = (yield* fs.readFileString(dictionary)).trimEnd().split("\n")
      assert.strictEqual(entries.length, 79_420)

      const modelArguments = recogniser.modelArguments.map((each) =>
        each === argumentAfter("-dict") ? dictionary : each
      )
      const audio = yield* decodedClip({ times: 1, name: "clip.pcm" })
      const hear = Effect.fnUntraced(function* (installation: NonNullable<typeof recogniser>) {
        const { transcribe } = yield* PocketsphinxTranscriber.make(installation)
        return yield* transcribe({
          audio,
          language: "en",
          initialPrompt: null,
          isVadFiltered: false,
          isDiarized: false
        })
      })
      const shortened = yield* hear({ ...recogniser, modelArguments })
      assert.strictEqual(shortened.segments[0]?.text, sentence)
      assert.deepStrictEqual(shortened, yield* hear(recogniser))
    }).pipe(Effect.scoped, Effect.provide(nodeServices))
  )
})
