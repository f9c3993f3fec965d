/**
 * Tests that models can be installed from an HTTP directory through the guard, even if connections
 * break in any way.
 */
import { createHash } from "node:crypto"
import { readdir, readFile, stat, utimes, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { layer as nodeFileSystem } from "@effect/platform-node/NodeFileSystem"
import { assert, describe, it } from "@effect/vitest"
import {
  Catalogue,
  type Model,
  ModelFolder,
  ModelInstaller,
  ModelSource
} from "@verbatim/adapters/whisper"
import * as Networks from "@verbatim/core/outbound"
import { Effect, Fiber, FileSystem, Option, Result } from "effect"
import { serve as serveScript } from "../openai/ScriptedServer.ts"

/** Runs the server until the scope closes. Tests can change the server's behaviour at any time. */
const serve = Effect.fnUntraced(function* (files: ReadonlyMap<string, Uint8Array>) {
  const behaviour = {
    files: new Map(files),
    /**
     * For each of the next responses, the number of bytes of its body after which the connection
     * breaks.
     */
    cuts: [] as Array<number>,
    /** The statuses of the next responses. 0 sends the file. */
    statuses: [] as Array<number>,
    /** Whether the server supports range requests. */
    isRanged: true,
    /**
     * Whether the client has read this much of the file. When a connection breaks, unread bytes are
     * lost.
     */
    hasArrived: (_length: number): boolean => true
  }
  const requests: Array<{ readonly path: string; readonly range: string | undefined }> = []
  const { url } = yield* serveScript(({ headers: { range }, path: whole }, _, response) => {
    const path = whole.replace(/^\/models\//, "")
    requests.push({ path, range })
    const status = behaviour.statuses.shift() ?? 0
    if (status > 0) return { status, body: "busy" }
    const content = behaviour.files.get(path)
    if (content === undefined) return { status: 404, body: "" }
    const from = behaviour.isRanged ? Number(/^bytes=(\d+)-$/.exec(range ?? "")?.[1] ?? 0) : 0
    if (from >= content.byteLength) return { status: 416, body: "" }
    const [body, last] = [content.subarray(from), content.byteLength - 1]
    const headers = {
      "content-length": `${body.byteLength}`,
      ...(from > 0 && { "content-range": `bytes ${from}-${last}/${content.byteLength}` })
    }
    const cut = behaviour.cuts.shift()
    if (cut === undefined) return { status: from > 0 ? 206 : 200, headers, body }
    response.writeHead(from > 0 ? 206 : 200, headers).write(body.subarray(0, cut))
    const timer = setInterval(() => behaviour.hasArrived(from + cut) && response.destroy(), 5)
    response.on("close", () => clearInterval(timer))
    return undefined
  })
  return Object.assign(behaviour, { requests, address: `${url}/models` })
})

/** A running server, and the requests that it has received. */
type ModelServer = Effect.Success<ReturnType<typeof serve>>

const loopback = Result.getOrThrow(Networks.fromText("127.0.0.0/8"))

const bytes = (length: number, seed: number) =>
  Uint8Array.from({ length }, (_, index) => (index * 31 + seed) % 251)

const encoder = bytes(300_000, 1)
const tokens = bytes(1_000, 2)

const fileOf = (role: "encoder" | "tokens", content: Uint8Array) => ({
  role,
  name: `own-${role}.bin`,
  byteLength: content.byteLength,
  sha256: createHash("sha256").update(content).digest("hex"),
  location: `/somebody/own/resolve/main/own-${role}.bin`
})

const model: Model = {
  name: "own",
  kind: "whisper",
  description: "two files",
  licence: "none",
  files: [fileOf("encoder", encoder), fileOf("tokens", tokens)]
}

const whole = new Map([
  ["own/own-encoder.bin", encoder],
  ["own/own-tokens.bin", tokens]
])

interface Bench {
  readonly server: ModelServer
  readonly folder: string
  readonly progress: Array<number>
  readonly options: ModelInstaller.InstallerOptions
}

const onBench = <A, E>(
  title: string,
  body: (bench: Bench) => Effect.Effect<A, E, FileSystem.FileSystem>
) =>
  it.live(title, () =>
    Effect.gen(function* () {
      const server = yield* serve(whole)
      const fs = yield* FileSystem.FileSystem
      const folder = yield* fs.makeTempDirectoryScoped({ prefix: "verbatim-models-" })
      const progress: Array<number> = []
      server.hasArrived = (length) => progress.includes(length)
      const options = {
        folder,
        source: ModelSource.fromText(server.address),
        guard: { allowedNetworks: loopback },
        onProgress: (_: Model, length: number) =>
          Effect.sync(() => {
            progress.push(length)
          })
      }
      yield* body({ server, folder, progress: progress, options })
    }).pipe(Effect.scoped, Effect.provide(nodeFileSystem))
  )

const install = ({ options }: Bench) => ModelInstaller.install(model, options)

const contents = ({ folder }: Bench) =>
  Effect.promise(async () => ({
    names: (await readdir(join(folder, "own"))).sort(),
    encoder: await readFile(join(folder, "own", "own-encoder.bin")).catch(() => undefined)
  }))

const isInstalled = Effect.fnUntraced(function* (bench: Bench) {
  const { encoder: found, names } = yield* contents(bench)
  assert.deepStrictEqual(names, ["own-encoder.bin", "own-tokens.bin"])
  assert.isTrue(found?.equals(encoder))
  assert.strictEqual(yield* ModelFolder.presence(bench.folder, model), "installed")
  assert.deepStrictEqual(yield* ModelFolder.findDamaged(bench.folder, model), [])
})

describe("the installation of a model", () => {
  onBench("downloads its files and reports progress, but requests nothing if they exist", (bench) =>
    Effect.gen(function* () {
      assert.strictEqual(yield* ModelFolder.presence(bench.folder, model), "absent")
      yield* install(bench)
      yield* isInstalled(bench)
      assert.strictEqual(bench.progress.at(-1), 301_000)
      assert.deepStrictEqual(
        bench.progress,
        bench.progress.toSorted((a, b) => a - b)
      )
      const before = bench.server.requests.length
      yield* install(bench)
      assert.strictEqual(bench.server.requests.length, before)
    })
  )

  onBench("resumes at the byte at which the connection was cut", (bench) =>
    Effect.gen(function* () {
      bench.server.cuts.push(100_000, 50_000)
      yield* install(bench)
      yield* isInstalled(bench)
      const ranges = bench.server.requests.map(({ range }) => range)
      assert.deepStrictEqual(ranges, [undefined, "bytes=100000-", "bytes=150000-", undefined])
    })
  )

  for (const status of [429, 503]) {
    onBench(
      `keeps the partial file when status ${status} interrupts the download, and resumes`,
      (bench) =>
        Effect.gen(function* () {
          bench.server.cuts.push(100_000)
          bench.server.statuses.push(0, status)
          const error = yield* Effect.flip(install(bench))
          assert.include(error.sentence, `${status}`)
          assert.deepStrictEqual((yield* contents(bench)).names, [".own-encoder.bin.left.part"])
          yield* install(bench)
          yield* isInstalled(bench)
          const ranges = bench.server.requests.map(({ range }) => range)
          const rest = "bytes=100000-"
          assert.deepStrictEqual(ranges, [undefined, rest, rest, undefined])
        })
    )
  }

  onBench(
    "resumes in a later run, even after a crash or without range support in the server",
    (bench) =>
      Effect.gen(function* () {
        bench.server.cuts.push(100_000)
        const first = yield* Effect.forkChild(install(bench))
        while (bench.progress.at(-1) !== 100_000) yield* Effect.sleep(5)
        yield* Fiber.interrupt(first)
        const remaining = (yield* contents(bench)).names
        assert.deepStrictEqual(remaining, [".own-encoder.bin.left.part"])
        // The file looks as if a crash had left it behind: it is named after a process, and is old.
        const { folder } = bench
        yield* Effect.promise(async () => {
          const orphan = join(folder, "own", ".own-encoder.bin.0000.part")
          await writeFile(orphan, encoder.subarray(0, 123_456))
          await utimes(orphan, 0, 0)
        })
        bench.server.isRanged = false
        yield* install(bench)
        yield* isInstalled(bench)
        assert.match(bench.server.requests.at(-2)?.range ?? "", /^bytes=\d+-$/)
      })
  )

  onBench("refuses and deletes a file with the wrong checksum", (bench) =>
    Effect.gen(function* () {
      const wrong = Uint8Array.from(encoder)
      wrong[200_000] = 255
      bench.server.files.set("own/own-encoder.bin", wrong)
      const error = yield* Effect.flip(install(bench))
      assert.strictEqual(error.obstacle._tag, "Different")
      assert.include(error.sentence, "own-encoder.bin")
      assert.deepStrictEqual((yield* contents(bench)).names, [])
      bench.server.files.set("own/own-encoder.bin", encoder)
      yield* install(bench)
      yield* isInstalled(bench)
    })
  )

  onBench("refuses a file that is too long, and starts again if the file is too short", (bench) =>
    Effect.gen(function* () {
      bench.server.files.set("own/own-encoder.bin", bytes(400_000, 9))
      assert.strictEqual((yield* Effect.flip(install(bench))).obstacle._tag, "Different")
      bench.server.files.set("own/own-encoder.bin", encoder.subarray(0, 1_000))
      assert.strictEqual((yield* Effect.flip(install(bench))).obstacle._tag, "Unreachable")
      bench.server.files.set("own/own-encoder.bin", encoder)
      yield* install(bench)
      yield* isInstalled(bench)
    })
  )

  onBench("succeeds for two concurrent installers", (bench) =>
    Effect.gen(function* () {
      yield* Effect.all([install(bench), install(bench)], { concurrency: 2 })
      yield* isInstalled(bench)
    })
  )

  onBench("replaces only damaged files", (bench) =>
    Effect.gen(function* () {
      yield* install(bench)
      const path = join(bench.folder, "own", "own-tokens.bin")
      yield* Effect.promise(() => writeFile(path, tokens.subarray(0, 10)))
      assert.strictEqual(yield* ModelFolder.presence(bench.folder, model), "incomplete")
      assert.deepStrictEqual(yield* ModelFolder.findDamaged(bench.folder, model), [
        "own-tokens.bin"
      ])
      yield* install(bench)
      assert.strictEqual(bench.server.requests.at(-1)?.path, "own/own-tokens.bin")
      assert.strictEqual(bench.server.requests.length, 3)
      yield* isInstalled(bench)
      yield* ModelFolder.remove(bench.folder, model)
      assert.strictEqual(yield* ModelFolder.presence(bench.folder, model), "absent")
    })
  )

  onBench("says what to do if the source is unreachable or not allowed", (bench) =>
    Effect.gen(function* () {
      const away = { ...bench.options, source: ModelSource.fromText("http://127.0.0.1:9/models") }
      const failureSentence = yield* Effect.flip(ModelInstaller.install(model, away))
      assert.include(failureSentence.sentence, "VERBATIM_MODEL_SOURCE")
      const guarded = { ...bench.options, guard: { allowedNetworks: [] } }
      const forbidden = yield* Effect.flip(ModelInstaller.install(model, guarded))
      assert.include(forbidden.sentence, "VERBATIM_ALLOW_NETWORKS")
      assert.strictEqual(bench.server.requests.length, 0)
    })
  )

  onBench("says what to do if the directory is not writable", (bench) =>
    Effect.gen(function* () {
      const folder = join(bench.folder, "file")
      yield* Effect.promise(() => writeFile(folder, ""))
      const error = yield* Effect.flip(ModelInstaller.install(model, { ...bench.options, folder }))
      assert.strictEqual(error.obstacle._tag, "FolderUnusable")
      assert.isTrue((yield* Effect.promise(() => stat(folder))).isFile())
    })
  )

  onBench("reads the catalogue that a directory offers", (bench) =>
    Effect.gen(function* () {
      const offered = () => ModelInstaller.findOffered("own", bench.options)
      assert.isTrue(Option.isNone(yield* offered()))
      const text = new TextEncoder().encode(JSON.stringify([model]))
      bench.server.files.set(Catalogue.fileName, text)
      assert.deepStrictEqual(Option.getOrThrow(yield* offered()), [model])
      yield* Effect.promise(() => writeFile(join(bench.folder, Catalogue.fileName), text))
      const known = yield* ModelFolder.catalogue(bench.folder)
      assert.isTrue(Option.isSome(Catalogue.find(known, "own")))
      assert.isTrue(Option.isSome(Catalogue.find(known, "base")))
    })
  )
})

describe("the catalogue", () => {
  it("refuses names that lead out of the directory", () => {
    for (const name of ["..", "../x", "a/b", "a\\b", "", ".hidden", "x\u0000"]) {
      const text = JSON.stringify([{ ...model, name }])
      assert.isTrue(Option.isNone(Catalogue.fromText(text)), name)
    }
  })

  it("gives each file an HTTPS URL on the hub, and a path in a directory", () => {
    const hub = ModelSource.fromText(ModelSource.defaultText)
    const directory = ModelSource.fromText("http://10.0.0.1/models/")
    for (const each of Catalogue.builtIn) {
      for (const file of each.files) {
        assert.match(ModelSource.urlOf(hub, { model: each, file }), /^https:\/\/[\w.]+\/\S+$/)
        const url = `http://10.0.0.1/models/${each.name}/${file.name}`
        assert.strictEqual(ModelSource.urlOf(directory, { model: each, file }), url)
      }
    }
  })

  it("is a valid catalogue file", () => {
    const text = JSON.stringify(Catalogue.builtIn)
    assert.deepStrictEqual(Option.getOrThrow(Catalogue.fromText(text)), Catalogue.builtIn)
  })
})
