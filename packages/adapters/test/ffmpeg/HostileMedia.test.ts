/**
 * Every hostile file through both decoders: it ends as the table says and with a fixed sentence,
 * nothing else is opened, no connection is made, nothing is left behind.
 */
import { execFile } from "node:child_process"
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { type AddressInfo, createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, assert, describe, it, layer } from "@effect/vitest"
import { type DecoderOptions, layerSystem, layerWasm } from "@verbatim/adapters/ffmpeg"
import { sentence } from "@verbatim/core/attempt"
import type { AudioDecoderError } from "@verbatim/core/ports"
import type { DecodedAudio } from "@verbatim/core/transcription"
import { chooseCases } from "@verbatim/testkit/laws"
import { Effect, Result } from "effect"
import { clip, decode, namesIn, newFolder } from "./Clips.ts"
import { hostileFiles as allFiles, type Bait, type HostileFile } from "./HostileMedia.ts"
import { installed, reason } from "./Installed.ts"

const execute = promisify(execFile)

const isDamaged = ({ name }: HostileFile): boolean => /^(?:first-third|bytes-flipped)/.test(name)

/** The files of each format that are merely damaged take turns. */
const hostileFiles = [
  ...allFiles.filter((file) => !isDamaged(file)),
  ...chooseCases(allFiles.filter(isDamaged), 3)
]

/** A listener that counts who comes. */
const listener = Effect.acquireRelease(
  Effect.callback<{ readonly port: number; count: number; close: () => void }>((resume) => {
    const server = createServer((socket) => {
      heard.count += 1
      socket.destroy()
    })
    const heard = { port: 0, count: 0, close: () => server.close() }
    server.listen(0, "127.0.0.1", () => {
      heard.port = (server.address() as AddressInfo).port
      resume(Effect.succeed(heard))
    })
  }),
  ({ close }) => Effect.sync(close)
)

/** Where all decoders work. It is empty before each file, and after it. */
const directory = await mkdtemp(join(tmpdir(), "verbatim-hostile-"))
afterAll(() => rm(directory, { recursive: true, force: true }))

/** The file, next to a pipe that blocks whoever opens it. */
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

/** How it ended is as the table says, and what is said of it is fixed. */
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

const withstandsWith = <R>(decoding: (path: string) => Effect.Effect<Outcome, never, R>) =>
  Effect.fnUntraced(function* (file: HostileFile) {
    const heard = yield* listener
    const { folder, path } = yield* placed(file, heard.port)
    judge(file, folder, yield* decoding(path))
    assert.strictEqual(heard.count, 0)
    const left = yield* Effect.promise(() => readdir(folder, { recursive: true }))
    assert.deepStrictEqual(left.sort(), [file.name, "bait.ts"].sort())
    assert.deepStrictEqual(yield* namesIn(directory), [])
  })

const withstands = withstandsWith((path) => Effect.result(Effect.scoped(decode(path))))

/** Without the filter in the kernel each call of the traced program stops it, whatever it is. */
const traceOptions = ["-f", "--seccomp-bpf", "-qq", "-s", "4096", "-e", "trace=%file,%network"]

const traces = await execute("strace", [...traceOptions, "-o", "/dev/null", "true"]).then(
  () => installed !== undefined && process.platform === "linux",
  () => false
)

/** Files that are refused by their first bytes: they reach no ffmpeg (`Declared.test.ts`). */
const isDeclared = (name: string): boolean => /^(?:rate-[01]\.wav|empty\..*)$/.test(name)

/** Files that name something, or are not what their name says. */
const watchedFiles = hostileFiles.filter(
  ({ name }) => !/^(?:first-|bytes-)/.test(name) && !isDeclared(name)
)

const decoders = [
  {
    name: "the system's ffmpeg",
    decoder: layerSystem(options),
    isHere: installed !== undefined,
    // The others are decoded under a witness, below.
    files: traces ? hostileFiles.filter((file) => !watchedFiles.includes(file)) : hostileFiles
  },
  {
    name: "ffmpeg as WebAssembly",
    decoder: layerWasm(options),
    isHere: true,
    files: hostileFiles
  }
] as const

/** An hour of silence takes a second, and up to ten on two busy cores. */
const slow = 240_000

for (const { decoder, files, isHere, name } of decoders) {
  const suffix = isHere ? "" : reason
  describe.skipIf(!isHere || process.platform === "win32")(`${name} withstands${suffix}`, () => {
    // One decoder, as in a server: its program is looked for once, and compiled once.
    layer(decoder, { excludeTestServices: true })((it) => {
      it.effect.each(files)("$name", withstands, slow)
    })
  })
}

describe.skipIf(installed === undefined)(`the hostile files${reason}`, () => {
  it.live("are followed by an ffmpeg without lists, and heard", () =>
    Effect.gen(function* () {
      const heard = yield* listener
      const file = hostileFiles.find(({ name }) => name === "hls-http.mp3")
      assert.isDefined(file)
      if (file === undefined) return
      const { path } = yield* placed(file, heard.port)
      const open = ["-nostdin", "-v", "quiet", "-protocol_whitelist", "file,http,tcp"]
      const words = [...open, "-i", path, "-f", "null", "-"]
      yield* Effect.promise(() => execute(`${installed}`, words).catch(() => undefined))
      assert.isAbove(heard.count, 0)
    })
  )
})

/** Runs the system's ffmpeg with a witness: the paths it opens, and its calls about sockets. */
const watched = Effect.fnUntraced(function* (path: string) {
  const tools = yield* newFolder
  const [log, ffmpegPath] = [join(tools, "log"), join(tools, "ffmpeg")]
  const witness = `strace ${traceOptions.join(" ")} -o ${log}`
  yield* Effect.promise(async () => {
    await writeFile(ffmpegPath, `#!/bin/sh\nexec ${witness} ${installed} "$@"\n`)
    await chmod(ffmpegPath, 0o755)
  })
  const decoder = layerSystem({ ...options, ffmpegPath })
  const outcome = yield* Effect.scoped(decode(path)).pipe(Effect.provide(decoder), Effect.result)
  const calls = (yield* Effect.promise(() => readFile(log, "utf8"))).split("\n")
  return {
    outcome,
    opened: new Set(calls.flatMap((call) => /\bopen(?:at)?\(.*?"(.*)", O_/.exec(call)?.[1] ?? [])),
    sockets: calls.filter((call) => /\b(?:socket|connect)\(/.test(call))
  }
})

/** Libraries and settings of the system: they are opened for a good file too. */
const usual = traces ? await Effect.runPromise(Effect.scoped(watched(clip("clip.mp3")))) : undefined

const unwatched = traces ? "" : " (skipped: there is no strace)"

/** The decoded audio goes to its standard output; what else it writes, into its folder. */
const isOwn = (path: string) => /^verbatim-audio-\w+\.(?:txt|wav)$/.test(path)

describe.skipIf(!traces)(`the system's ffmpeg, watched${unwatched}`, () => {
  const decodeWatched = Effect.fnUntraced(function* (path: string) {
    const { opened, outcome, sockets } = yield* watched(path)
    assert.isTrue(usual?.opened.has(clip("clip.mp3")))
    const beside = [...opened].filter((each) => !usual?.opened.has(each) && !isOwn(each))
    assert.deepStrictEqual(beside, [path])
    assert.deepStrictEqual(sockets, [])
    return outcome
  })
  const test = withstandsWith(decodeWatched)
  it.live.each(watchedFiles)("withstands $name, and opens nothing beside it", test, slow)
})
