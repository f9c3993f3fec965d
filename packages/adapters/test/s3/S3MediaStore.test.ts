/** Provides a store in a new bucket, its server, and a function that reads the store's files. */

import { mkdtemp, readdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { NodeFileSystem } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { layer, type S3MediaStoreOptions } from "@verbatim/adapters/s3"
import { MediaStore } from "@verbatim/core/ports"
import { MediaKey } from "@verbatim/core/transcription"
import { MediaStoreContract } from "@verbatim/testkit/contracts"
import { account, BucketServer } from "@verbatim/testkit/servers"
import { Context, Duration, Effect, Layer, Option, Redacted, Stream } from "effect"

const bucket = "verbatim-media"

const newFolder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "verbatim-s3-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
)

/** A bucket server, and the options of a store that uses it. */
class TemporaryBucket extends Context.Service<
  TemporaryBucket,
  { readonly server: BucketServer; readonly options: S3MediaStoreOptions }
>()("@verbatim/adapters/test/s3/TemporaryBucket") {
  static readonly layer = Layer.effect(
    TemporaryBucket,
    Effect.gen(function* () {
      const directory = yield* newFolder
      const objects = yield* newFolder
      const server = yield* Effect.acquireRelease(
        Effect.sync(() => new BucketServer(bucket, objects)),
        (running) => Effect.sync(() => running.close())
      )
      const port = yield* Effect.promise(() => server.listen())
      const options = {
        bucket,
        prefix: "media/",
        region: "eu-test-1",
        endpoint: Option.some(`http://127.0.0.1:${port}`),
        credentials: Option.some({
          ...account,
          secretAccessKey: Redacted.make(account.secretAccessKey)
        }),
        directory
      }
      return { server, options }
    })
  )
}

/** A store in a new bucket, and a function that reads the files that it opens. */
const inNewBucket = Layer.mergeAll(
  Layer.unwrap(Effect.map(TemporaryBucket, ({ options }) => layer(options))),
  NodeFileSystem.layer
).pipe(Layer.provideMerge(TemporaryBucket.layer))

/** Backdates all objects in the bucket. */
const age = (duration: Duration.Duration) =>
  Effect.map(TemporaryBucket, ({ server }) => server.age(Duration.toMillis(duration)))

/** Lists the files in a folder. */
const filesIn = (folder: string) =>
  Effect.promise(async () => {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true })
    const files = entries.filter((entry) => entry.isFile())
    return files.map((entry) => join(entry.parentPath, entry.name))
  })

/** Runs an effect with a store in a new bucket. */
const withBucket = <Step extends Effect.Effect<unknown, unknown, unknown>, A>(
  steps: (
    given: TemporaryBucket["Service"] & { readonly store: MediaStore["Service"] }
  ) => Generator<Step, A, never>
) =>
  Effect.gen(function* () {
    const { options, server } = yield* TemporaryBucket
    const store = yield* MediaStore
    return yield* Effect.gen(() => steps({ options, server, store }))
  }).pipe(Effect.provide(inNewBucket))

MediaStoreContract.suite("S3", inNewBucket, { advance: age })

const megabyte = 1_048_576

const keyOf = (number: number) =>
  MediaKey.make(`019ab3c4-1111-7222-8333-44445555666${number}/0.mp3`)

const put = (content: Stream.Stream<Uint8Array>, number = 0) =>
  Effect.flatMap(MediaStore, (store) =>
    store.put({ key: keyOf(number), content, byteMax: 1_000_000_000 })
  )

const few = Stream.make(new Uint8Array(9))

const megabytes = (count: number) =>
  Stream.map(Stream.range(1, count), (index) => new Uint8Array(megabyte).fill(index % 256))

const opened = Effect.flatMap(MediaStore, (store) => Effect.scoped(store.open(keyOf(0))))

const open = (secretAccessKey: string, accessKeyId = account.accessKeyId) => ({
  credentials: Option.some({ accessKeyId, secretAccessKey: Redacted.make(secretAccessKey) })
})

/** Options that a store cannot work with, and what is wrong with each. */
const wrong: ReadonlyArray<readonly [string, Partial<S3MediaStoreOptions>]> = [
  ["another account's secret", open("not-the-secret")],
  ["an unknown key", open(account.secretAccessKey, "NOBODY")],
  ["a missing bucket", { bucket: "nobody-has-this" }],
  ["a server that does not exist", { endpoint: Option.some("http://127.0.0.1:1") }]
]

describe("S3MediaStore", () => {
  it.live("stores long content in parts, and signs each part separately", () =>
    withBucket(function* ({ server }) {
      yield* put(megabytes(20))
      const stored = server.contentOf(`media/${keyOf(0)}`)
      assert.strictEqual(stored?.length, 20 * megabyte)
      assert.deepStrictEqual(
        [0, 8, 19].map((index) => stored?.[index * megabyte]),
        [1, 9, 20]
      )
      assert.strictEqual(server.uploads.size, 0)
    })
  )

  it.live("keeps content in a private folder while it is being read", () =>
    withBucket(function* ({ options, store }) {
      yield* put(few)
      yield* Effect.scoped(
        Effect.gen(function* () {
          const media = yield* store.open(keyOf(0))
          assert.deepStrictEqual(yield* filesIn(options.directory), [media.path])
        })
      )
      assert.deepStrictEqual(yield* filesIn(options.directory), [])
    })
  )

  it.live("retries if the server is busy", () =>
    withBucket(function* ({ server }) {
      server.busy = 2
      assert.strictEqual(yield* put(few), 9)
      server.busy = 2
      assert.strictEqual((yield* opened).byteLength, 9)
    })
  )

  it.live("removes the new content if it loses the server's last response", () =>
    withBucket(function* ({ server }) {
      // The server does not respond to three requests, because the client makes three attempts.
      server.silent = 3
      yield* Effect.flip(put(few))
      assert.strictEqual(server.objects.size, 0)
    })
  )

  it.live("lists all pages, but only keys under its own prefix", () =>
    withBucket(function* ({ server, store }) {
      for (let number = 0; number < 8; number += 1) yield* put(few, number)
      for (const name of [`other/${keyOf(0)}`, "media/readme.txt", `media/x/${keyOf(0)}`]) {
        server.put(name, new Uint8Array(1), 0)
      }
      yield* age(Duration.hours(1))
      const found = yield* Stream.runCollect(store.olderThan(Duration.minutes(59)))
      assert.deepStrictEqual([...found].sort(), [0, 1, 2, 3, 4, 5, 6, 7].map(keyOf))
    })
  )

  it.live("aborts only uploads that a crash left unfinished at least a day ago", () =>
    withBucket(function* ({ server, store }) {
      const left = (key: string, hours: number) =>
        server.uploads.set(key, { key, parts: new Map(), at: Date.now() - hours * 3_600_000 })
      left("media/old", 25)
      left("media/young", 23)
      left("other/old", 25)
      yield* Stream.runDrain(store.olderThan(Duration.hours(24)))
      assert.deepStrictEqual([...server.uploads.keys()], ["media/young", "other/old"])
    })
  )

  it.live("leaves no parts behind if the content cannot be read", () =>
    withBucket(function* ({ server }) {
      const broken = Stream.concat(megabytes(20), Stream.die("cut"))
      yield* Effect.exit(put(broken))
      assert.deepStrictEqual([server.uploads.size, server.objects.size], [0, 0])
    })
  )

  for (const [what, change] of wrong) {
    it.live(`is unavailable with ${what}, and never reveals the secret`, () =>
      withBucket(function* ({ options }) {
        const other = layer({ ...options, ...change })
        const failures = yield* Effect.all([Effect.flip(put(few)), Effect.flip(opened)]).pipe(
          Effect.provide(other, { local: true })
        )
        for (const failure of failures) {
          assert.strictEqual(failure.reason._tag, "Unavailable")
          assert.notInclude(String(failure.cause), "not-the-secret")
          assert.notInclude(JSON.stringify(failure), account.secretAccessKey)
        }
      })
    )
  }
})
