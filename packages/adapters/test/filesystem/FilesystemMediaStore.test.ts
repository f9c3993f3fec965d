/** Creates stores for tests, each in its own folder, which is removed when the scope closes. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { NodeFileSystem } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { layer } from "@verbatim/adapters/filesystem"
import { MediaStore } from "@verbatim/core/ports"
import { MediaKey } from "@verbatim/core/transcription"
import { MediaStoreContract } from "@verbatim/testkit/contracts"
import { Deferred, Duration, Effect, Fiber, Layer, Stream } from "effect"

/** Creates an empty folder. */
const newFolder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "verbatim-media-"))),
  (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
)

/** Creates a store in a new folder, and a function that reads the files that the store opens. */
const inNewFolder = Layer.merge(
  Layer.unwrap(
    Effect.map(newFolder, (folder) => layer({ directory: join(folder, "data", "media") }))
  ),
  NodeFileSystem.layer
)

/** Lists every file and folder within a folder, by relative path. */
const everythingIn = (folder: string) =>
  Effect.promise(async () => (await readdir(folder, { recursive: true })).sort())

/** Runs an effect with a store in the given folder. */
const onStore = <A, E, R>(folder: string, effect: Effect.Effect<A, E, R | MediaStore>) =>
  Effect.provide(effect, layer({ directory: folder }), { local: true })

/** Runs an effect with a store in a new folder. */
const withStore = <Step extends Effect.Effect<unknown, unknown, unknown>, A>(
  steps: (store: MediaStore["Service"], folder: string) => Generator<Step, A, never>
) =>
  Effect.flatMap(newFolder, (folder) =>
    onStore(
      folder,
      Effect.flatMap(MediaStore, (store) => Effect.gen(() => steps(store, folder)))
    )
  )

MediaStoreContract.suite("filesystem", inNewFolder)

const job = "019ab3c4-1111-7222-8333-444455556666"
const key = MediaKey.make(`${job}/0.mp3`)
const second = MediaKey.make(`${job}/1.mp3`)

const put = (name: MediaKey, content: Stream.Stream<Uint8Array> = Stream.make(new Uint8Array(9))) =>
  Effect.flatMap(MediaStore, (store) => store.put({ key: name, content, byteMax: 1_000_000_000 }))

const modeOf = (path: string) =>
  Effect.promise(async () => ((await stat(path)).mode & 0o777).toString(8))

const makeOld = (path: string) => {
  const seconds = (Date.now() - Duration.toMillis("25 hours")) / 1_000
  return Effect.promise(() => utimes(path, seconds, seconds))
}

describe("FilesystemMediaStore", () => {
  it.live("creates files that only their owner can read", () =>
    Effect.gen(function* () {
      const folder = yield* newFolder
      yield* onStore(folder, put(key))
      assert.strictEqual(yield* modeOf(join(folder, job)), "700")
      assert.strictEqual(yield* modeOf(join(folder, key)), "600")
      assert.deepStrictEqual(yield* everythingIn(folder), [".staging", job, key])
    })
  )

  it.live("removes a job's folder together with the last file of the job", () =>
    withStore(function* (store, folder) {
      yield* put(key)
      yield* put(second)
      yield* store.remove(key)
      assert.deepStrictEqual(yield* everythingIn(folder), [".staging", job, second])
      yield* store.remove(second)
      assert.deepStrictEqual(yield* everythingIn(folder), [".staging"])
    })
  )

  it.live("stores a file of a job while the job's only other file is removed", () =>
    withStore(function* (store, folder) {
      for (let round = 0; round < 50; round++) {
        yield* put(second)
        const both = [put(key), store.remove(second)]
        yield* Effect.all(both, { concurrency: "unbounded", discard: true })
        assert.deepStrictEqual(yield* everythingIn(folder), [".staging", job, key])
        yield* store.remove(key)
      }
    })
  )

  it.live("leaves no files behind if a write is interrupted", () =>
    Effect.gen(function* () {
      const folder = yield* newFolder
      const reached = yield* Deferred.make<void>()
      const endless = Stream.forever(Stream.make(new Uint8Array(65_536))).pipe(
        Stream.tap(() => Deferred.succeed(reached, undefined))
      )
      const writer = yield* Effect.forkChild(onStore(folder, put(key, endless)))
      yield* Deferred.await(reached)
      yield* Fiber.interrupt(writer)
      assert.deepStrictEqual(yield* everythingIn(folder), [".staging"])
    })
  )

  it.live("keeps the old content if a process is killed while it replaces that content", () =>
    Effect.gen(function* () {
      const folder = yield* newFolder
      const old = new Uint8Array(65_536).fill(1)
      yield* onStore(folder, put(key, Stream.make(old)))
      const program = fileURLToPath(new URL("EndlessWriter.ts", import.meta.url))
      yield* Effect.promise(async () => {
        const given = ["--conditions=@verbatim/source", program, folder, key]
        const writer = spawn(process.execPath, given, { stdio: ["ignore", "pipe", "inherit"] })
        await once(writer.stdout, "data")
        writer.kill("SIGKILL")
        await once(writer, "exit")
      })
      assert.deepStrictEqual(
        new Uint8Array(yield* Effect.promise(() => readFile(join(folder, key)))),
        old
      )
      yield* onStore(folder, put(key, Stream.make(old.subarray(1))))
      assert.strictEqual((yield* Effect.promise(() => stat(join(folder, key)))).size, 65_535)
    })
  )

  it.live("opens a file in its own private folder until the scope closes", () =>
    withStore(function* (store, folder) {
      yield* put(key)
      yield* put(second)
      const { path } = yield* Effect.scoped(
        Effect.tap(store.open(key), (media) =>
          Effect.gen(function* () {
            const around = join(media.path, "..")
            assert.deepStrictEqual(yield* everythingIn(around), ["0.mp3"])
            assert.strictEqual(yield* modeOf(around), "700")
          })
        )
      )
      assert.isFalse((yield* everythingIn(folder)).some((name) => path.endsWith(name)))
    })
  )

  it.live("refuses strings that are not keys, whatever paths they form", () =>
    Effect.gen(function* () {
      const folder = yield* newFolder
      const outside = join(folder, "outside.mp3")
      yield* Effect.promise(() => writeFile(outside, "kept"))
      yield* onStore(
        join(folder, "media"),
        Effect.gen(function* () {
          const store = yield* MediaStore
          const names = [
            "../outside.mp3",
            outside,
            `${job}/../../outside.mp3`,
            ".staging/0.mp3",
            ""
          ]
          for (const name of names.map((text) => text as MediaKey)) {
            const operations = [put(name), Effect.scoped(store.open(name)), store.remove(name)]
            for (const operation of operations) {
              const error = yield* Effect.flip(Effect.asVoid(operation))
              assert.strictEqual(error.reason._tag, "Unavailable")
            }
          }
        })
      )
      assert.deepStrictEqual(yield* everythingIn(folder), [
        "media",
        "media/.staging",
        "outside.mp3"
      ])
    })
  )

  it.live("removes files that a crash left behind a day ago, and keeps newer ones", () =>
    Effect.gen(function* () {
      const folder = yield* newFolder
      const old = join(folder, ".staging", "old")
      const young = join(folder, ".staging", "young")
      const oldReading = join(folder, ".staging", "reading")
      yield* Effect.promise(async () => {
        await mkdir(oldReading, { recursive: true })
        await Promise.all(
          [old, young, join(oldReading, "0.mp3")].map((path) => writeFile(path, ""))
        )
      })
      yield* Effect.all([makeOld(old), makeOld(oldReading)])
      yield* onStore(
        folder,
        Effect.gen(function* () {
          assert.deepStrictEqual(yield* everythingIn(folder), [".staging", ".staging/young"])
          yield* makeOld(young)
          const store = yield* MediaStore
          yield* Stream.runDrain(store.olderThan(Duration.zero))
          assert.deepStrictEqual(yield* everythingIn(folder), [".staging"])
        })
      )
    })
  )

  it.live("lists only its own files, and removes empty folders", () =>
    Effect.gen(function* () {
      const folder = yield* newFolder
      const strange = ["notes.txt", `${job}/notes`, "other/0.mp3"]
      const listed = yield* onStore(
        folder,
        Effect.gen(function* () {
          yield* put(key)
          yield* Effect.promise(async () => {
            await mkdir(join(folder, "other"))
            await mkdir(join(folder, "empty"))
            await Promise.all(strange.map((name) => writeFile(join(folder, name), "")))
          })
          const store = yield* MediaStore
          yield* Effect.sleep("5 millis")
          return yield* Stream.runCollect(store.olderThan(Duration.zero))
        })
      )
      assert.deepStrictEqual(listed, [key])
      assert.notInclude(yield* everythingIn(folder), "empty")
    })
  )

  it.live("fails to open if its folder cannot be created", () =>
    Effect.gen(function* () {
      const folder = yield* newFolder
      const file = join(folder, "file")
      yield* Effect.promise(() => writeFile(file, ""))
      const error = yield* Effect.flip(onStore(join(file, "media"), put(key)))
      assert.strictEqual(error.reason._tag, "Unavailable")
    })
  )
})
