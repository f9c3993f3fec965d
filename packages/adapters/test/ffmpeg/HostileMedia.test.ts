/**
 * Decodes every hostile file with both decoders. Each decoding must end as the file's row in
 * `hostileFiles` allows, and can fail only with one of the fixed messages. A decoding must open no
 * other file or connection, and leave no files behind.
 */
import { execFile } from "node:child_process"
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, assert, describe, it, layer } from "@effect/vitest"
import type { DecoderOptions } from "@verbatim/adapters/ffmpeg"
import { sentence } from "@verbatim/core/attempt"
import type { AudioDecoderError } from "@verbatim/core/ports"
import type { DecodedAudio } from "@verbatim/core/transcription"
import { chooseCases } from "@verbatim/testkit/laws"
import { Effect, Result } from "effect"
import { listen, respond } from "../net/LoopbackServer.ts"
import { decode, namesIn, newFolder } from "./Clips.ts"
import { describeDecoders, installed, reason } from "./Decoders.ts"
import { hostileFiles as allFiles, type Bait, type HostileFile } from "./HostileMedia.ts"

const execute = promisify(execFile)

const isDamaged = ({ name }: HostileFile): boolean => /^(?:first-third|bytes-flipped)/.test(name)

/** All hostile files, with only a few of the damaged ones for each format. */
const hostileFiles = [
  ...allFiles.filter((file) => !isDamaged(file)),
  ...chooseCases(allFiles.filter(isDamaged), 3)
]

/** The folder in which all decoders work, which is empty before and after each decoding. */
const directory = await mkdtemp(join(tmpdir(), "verbatim-hostile-"))
afterAll(() => rm(directory, { recursive: true, force: true }))

/** Writes the file next to a pipe that blocks any program that opens it. */
const placed = Effect.fnUntraced(function* ({ bytes, name }: HostileFile, port: number) {
  const folder = yield* newFolder
  const bait: Bait = { folder, port }
  yield* Effect.promise(async () => {
    await execute("mkfifo", [join(folder, "bait.ts")])
    await writeFile(join(folder, name), bytes(bait))
  })
  return { folder, path: join(folder, name) }
})

const options: DecoderOptions = { maxHours: 1, timeout: "2 minutes", directory }

const sentences = new Set([
  "The file could not be decoded",
  "The file is empty",
  "The file is a web page, not a recording",
  "The MP4 file has no index: it was not finished, or only partly copied",
  "The format of the file is not known",
  "The file has more channels than can be decoded",
  "The file has no audio",
  "The audio is longer than 1 hours"
])

/**
 * Asserts that the outcome is allowed for this file, and that a failure has one of the fixed
 * messages.
 */
const judge = (file: HostileFile, folder: string, outcome: Outcome) => {
  if (Result.isSuccess(outcome)) {
    assert.include(file.endings, "Decoded")
    assert.isAtMost(outcome.success.sampleCount, 3_600 * 16_000)
  } else {
    const { reason } = outcome.failure
    assert.include(file.endings, reason._tag, JSON.stringify(reason))
    assert.isTrue(sentences.has(sentence(reason)), sentence(reason))
    const detail = "detail" in reason ? reason.detail : "-"
    assert.match(detail, /^[\x20-\x7e]{1,500}$/)
    assert.notInclude(detail, folder)
    assert.notInclude(detail, directory)
  }
}

type Outcome = Result.Result<DecodedAudio, AudioDecoderError>

const isHandled = Effect.fnUntraced(function* (file: HostileFile) {
  const { connections, port } = yield* listen({})
  const { folder, path } = yield* placed(file, port)
  judge(file, folder, yield* Effect.result(Effect.scoped(decode(path))))
  assert.strictEqual(connections(), 0)
  const remaining = yield* Effect.promise(() => readdir(folder, { recursive: true }))
  assert.deepStrictEqual(remaining.sort(), [file.name, "bait.ts"].sort())
  assert.deepStrictEqual(yield* namesIn(directory), [])
})

/**
 * Time limit for a test. Decoding an hour of silence takes one second, and up to ten if two cores
 * are busy.
 */
const slow = 240_000

describeDecoders(
  (decoder) => `${decoder} withstands`,
  (makeLayer) => {
    // All files share one decoder, as in a server, so its program is found and compiled only once.
    layer(makeLayer(options), { excludeTestServices: true })((it) => {
      const each = process.platform === "win32" ? [] : hostileFiles
      it.effect.each(each)("$name", isHandled, slow)
    })
  }
)

describe.skipIf(installed === undefined)(`the hostile files${reason}`, () => {
  it.live("make ffmpeg open a connection if its formats and protocols are not restricted", () =>
    Effect.gen(function* () {
      // ffmpeg has no time limit of its own, so the server must answer.
      const { connections, port } = yield* listen({ onRequest: respond(404) })
      const file = hostileFiles.find(({ name }) => name === "hls-http.mp3")
      assert.isDefined(file)
      if (file === undefined) return
      const { path } = yield* placed(file, port)
      const open = ["-nostdin", "-v", "quiet", "-protocol_whitelist", "file,http,tcp"]
      const words = [...open, "-i", path, "-f", "null", "-"]
      yield* Effect.promise(() => execute(`${installed}`, words).catch(() => undefined))
      assert.isAbove(connections(), 0)
    })
  )
})
