/** Tests child processes: how they are reused, and how they end. */

import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { dirname } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { layer as nodeFileSystem } from "@effect/platform-node/NodeFileSystem"
import { assert, describe, it } from "@effect/vitest"
import { isSpeech } from "@verbatim/adapters/whisper"
import { type RecognisePieces, recogniseUnstored } from "@verbatim/core/ports"
import { Deferred, Duration, Effect, Exit, Fiber, FileSystem, type Scope } from "effect"
import { builtIn as catalogue } from "#src/whisper/Catalogue"
import { planPieces } from "#src/whisper/WhisperTranscriber"
import * as Tiny from "./TinyModels.ts"
import { children, low, makeWorkshop, silence } from "./Workshop.ts"

const live = <A, E>(
  title: string,
  body: () => Effect.Effect<A, E, FileSystem.FileSystem | Scope.Scope>
) => it.live(title, () => body().pipe(Effect.scoped, Effect.provide(nodeFileSystem)))

const isAlive = (pid: number): boolean => existsSync(`/proc/${pid}`)

/** A child process that a test scripts. */
const scripted = Effect.fnUntraced(function* (code: string) {
  const fs = yield* FileSystem.FileSystem
  const folder = yield* fs.makeTempDirectoryScoped()
  yield* fs.writeFileString(`${folder}/child.cjs`, code)
  return pathToFileURL(`${folder}/child.cjs`)
})

describe("a child process", () => {
  live("keeps its files only in the folder of the recording, which is removed with it", () =>
    Effect.gen(function* () {
      const { recognise, record } = yield* makeWorkshop({
        kinds: ["moonshine", "vad"],
        replacements: { "moonshine-decoder.onnx": Tiny.moonshineDecoder([1, 1, 1]) }
      })
      const fs = yield* FileSystem.FileSystem
      const audio = yield* record(low(2))
      const { message } = yield* Effect.flip(recognise(audio))
      assert.include(message, "exit code 255")
      const names = yield* fs.readDirectory(dirname(audio.path))
      assert.lengthOf(
        names.filter((name) => name.startsWith("tokens-")),
        1
      )
    })
  )

  const killed = (signal: NodeJS.Signals) =>
    Effect.gen(function* () {
      const { recognise, record } = yield* makeWorkshop()
      const long = yield* record(low(600))
      const hearing = yield* Effect.forkChild(Effect.flip(recognise(long)))
      let [pid] = children()
      while (pid === undefined) {
        yield* Effect.sleep(10)
        pid = children()[0]
      }
      process.kill(pid, signal)
      const error = yield* Fiber.join(hearing)
      assert.strictEqual(error.reason._tag, "EngineFailed")
      assert.include(error.message, signal)
      // The next recording gets a new child process.
      assert.strictEqual((yield* recognise(yield* record(low(2)))).segments.length, 2)
    })

  live("makes only its current job fail if it is killed", () => killed("SIGKILL"))

  live("is kept for the next recording, even in another language", () =>
    Effect.gen(function* () {
      const { recognise, record } = yield* makeWorkshop({ detected: "haw" })
      const audio = yield* record(low(2))
      assert.strictEqual((yield* recognise(audio, { language: "de" })).language, "de")
      const first = children()
      assert.strictEqual(first.length, 1)
      assert.strictEqual((yield* recognise(audio)).language, "haw")
      assert.deepStrictEqual(children(), first)
      // Two concurrent recordings have a child process each.
      yield* Effect.all([recognise(audio), recognise(audio)], { concurrency: 2 })
      assert.strictEqual(children().length, 2)
    })
  )

  for (const kind of ["whisper", "transducer"] as const) {
    live(`loads its model once for concurrent pieces, which change no result: ${kind}`, () =>
      Effect.gen(function* () {
        const { recognise, record } = yield* makeWorkshop({ kinds: [kind, "vad"] })
        const audio = yield* record(
          ...Array.from({ length: 12 }, () => [low(3), silence(2)]).flat()
        )
        const recogniseAtOnce = (atOnce: number) => {
          let count = 0
          let most = 0
          const recognisePieces: RecognisePieces = (plan) =>
            recogniseUnstored({
              ...plan,
              atOnce: Math.min(atOnce, plan.atOnce ?? 1),
              recognise: (...piece) =>
                Effect.suspend(() => {
                  most = Math.max(most, ++count)
                  return Effect.ensuring(
                    plan.recognise(...piece),
                    Effect.sync(() => count--)
                  )
                })
            })
          const settings = { recognisePieces, keywords: ["good"] }
          return Effect.map(recognise(audio, settings), (result) => ({ ...result, most }))
        }
        const concurrent = yield* recogniseAtOnce(8)
        assert.isAbove(concurrent.segments.length, 4)
        assert.deepStrictEqual({ ...(yield* recogniseAtOnce(1)), most: 4 }, concurrent)
        assert.lengthOf(children(), 1)
      })
    )
  }

  it("recognises the pieces that fit into its memory, on all cores together", () => {
    const model = catalogue.filter(isSpeech).find(({ name }) => name === "parakeet-110m")
    if (model === undefined) return assert.fail()
    // The model needs 0.5 GB, with keywords 0.9 GB, and each further piece 0.25 GB.
    for (const [gigabytes, cores, recordings, pieces, hasKeywords, atOnce, threads] of [
      [0.1, 4, 1, 4, false, 1, 4],
      [0.8, 4, 1, 4, false, 2, 2],
      [8, 4, 1, 4, false, 4, 1],
      [1.2, 4, 1, 4, true, 2, 2],
      [8, 2, 2, 2, false, 2, 1],
      [8, 2, 1, 1, false, 1, 2],
      [8, 16, 1, 16, false, 4, 4],
      [8, 16, 16, 16, false, 4, 1],
      [8, 16, 8, 3, false, 3, 5],
      [8, 1, 8, 32, false, 1, 1]
    ] as const) {
      const machine = { memoryBytes: gigabytes * 1e9, cores }
      const options = { model, machine, concurrency: { recordings, pieces } }
      assert.deepStrictEqual(planPieces(options, hasKeywords), { atOnce, threads })
    }
  })

  live("recognises at most one piece per core, even of several recordings", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const log = yield* fs.makeTempFileScoped()
      const script = yield* scripted(`
        const note = (sign) => require("fs").appendFileSync(${JSON.stringify(log)}, sign)
        process.on("message", ({ number }) => {
          note("+")
          const answer = { _tag: "Done", result: { segments: [] } }
          setTimeout(() => {
            note("-")
            process.send({ _tag: "Answered", number, answer })
          }, 50)
        })
        process.send({ _tag: "Started" })
      `)
      const concurrency = { recordings: 2, pieces: 8 }
      const machine = { memoryBytes: 4e9, cores: 2 }
      const workshop = yield* makeWorkshop({ kinds: ["whisper"], concurrency, machine, script })
      const audio = yield* workshop.record(silence(120))
      const recognise = workshop.recognise(audio)
      yield* Effect.all([recognise, recognise], { concurrency: 2 })
      let [count, most, requests] = [0, 0, 0]
      for (const sign of yield* fs.readFileString(log)) {
        count += sign === "+" ? 1 : -1
        requests += sign === "+" ? 1 : 0
        most = Math.max(most, count)
      }
      assert.isAtLeast(requests, 8)
      assert.strictEqual(most, 2)
    })
  )

  live("ends after it has been idle for a while", () =>
    Effect.gen(function* () {
      const { recognise, record } = yield* makeWorkshop({ idleTime: Duration.millis(200) })
      const audio = yield* record(low(2))
      yield* recognise(audio)
      while (children().length > 0) yield* Effect.sleep(20)
      yield* recognise(audio)
    })
  )

  live("recognises at most fifty recordings", () =>
    Effect.gen(function* () {
      const { recognise, record } = yield* makeWorkshop()
      const audio = yield* record(low(0.5))
      const pids = new Set<number>()
      for (let index = 0; index < 51; index++) {
        yield* recognise(audio)
        for (const pid of children()) pids.add(pid)
      }
      // The first child process ended after the fiftieth recording.
      assert.deepStrictEqual([pids.size, children().length], [2, 1])
    })
  )

  live("ends immediately when its job is cancelled", () =>
    Effect.gen(function* () {
      const { recognise, record } = yield* makeWorkshop()
      const isUnderWay = yield* Deferred.make<void>()
      const onProgress = () => Effect.asVoid(Deferred.succeed(isUnderWay, undefined))
      const hearing = yield* Effect.forkChild(recognise(yield* record(low(600)), { onProgress }))
      yield* Deferred.await(isUnderWay)
      yield* Fiber.interrupt(hearing)
      assert.isTrue(Exit.hasInterrupts(yield* Fiber.await(hearing)))
      assert.deepStrictEqual(children(), [])
    })
  )

  live("makes the job fail if it hangs, ends without a response, or exits with code 255", () =>
    Effect.gen(function* () {
      for (const [behaviour, detail] of [
        ["process.exit(255)", "exit code 255"],
        ["process.abort()", "SIGABRT"],
        ["process.exit(0)", "exit code 0"],
        ["setInterval(() => {}, 1e6)", "it sent no message for"],
        // Messages about another request do not hide the silence.
        [
          "setInterval(() => process.send(" +
            "{ _tag: 'Answered', number: 2, answer: { _tag: 'Working' } }), 100)",
          "it sent no message for"
        ],
        [
          "process.send({ _tag: 'Answered', number: 1, answer: " +
            "{ _tag: 'Failed', detail: 'n\\0o\\n'.repeat(1e5) } })",
          "n o n o"
        ]
      ] as const) {
        const code = `process.once("message", () => { ${behaviour} })`
        const script = yield* scripted(`${code}; process.send({ _tag: "Started" })`)
        const isMute = behaviour.startsWith("setInterval")
        const maxSilence = isMute ? Duration.seconds(2) : Duration.minutes(1)
        const { recognise, record } = yield* makeWorkshop({ script, maxSilence })
        const error = yield* Effect.flip(recognise(yield* record(low(1))))
        assert.strictEqual(error.reason._tag, "EngineFailed")
        assert.include(error.message, detail)
        assert.notMatch(error.message, /\p{Cc}|.{400}/u)
      }
    })
  )

  live("ends when its parent process is killed", () =>
    Effect.gen(function* () {
      const server = spawn(
        process.execPath,
        ["--conditions=@verbatim/source", fileURLToPath(new URL("Orphan.ts", import.meta.url))],
        { stdio: "ignore" }
      )
      const { pid = 0 } = server
      while (children(pid).length === 0) yield* Effect.sleep(20)
      const [orphan = 0] = children(pid)
      // The child process is still working.
      yield* Effect.sleep(500)
      assert.isTrue(isAlive(orphan))
      server.kill("SIGKILL")
      while (isAlive(orphan)) yield* Effect.sleep(20)
    })
  )
})
