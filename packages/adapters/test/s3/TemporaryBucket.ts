/** Provides a store in a new bucket, its server, and a function that reads the store's files. */
import { mkdtemp, readdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { NodeFileSystem } from "@effect/platform-node"
import { layer, type S3MediaStoreOptions } from "@verbatim/adapters/s3"
import { MediaStore } from "@verbatim/core/ports"
import { account, BucketServer } from "@verbatim/testkit/servers"
import { Context, Duration, Effect, Layer, Option, Redacted } from "effect"

const bucket = "verbatim-media"

const newFolder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "verbatim-s3-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
)

/** A bucket server, and the options of a store that uses it. */
export class TemporaryBucket extends Context.Service<
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
export const inNewBucket = Layer.mergeAll(
  Layer.unwrap(Effect.map(TemporaryBucket, ({ options }) => layer(options))),
  NodeFileSystem.layer
).pipe(Layer.provideMerge(TemporaryBucket.layer))

/** Backdates all objects in the bucket. */
export const age = (duration: Duration.Duration) =>
  Effect.map(TemporaryBucket, ({ server }) => server.age(Duration.toMillis(duration)))

/** Lists the files in a folder. */
export const filesIn = (folder: string) =>
  Effect.promise(async () => {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true })
    const files = entries.filter((entry) => entry.isFile())
    return files.map((entry) => join(entry.parentPath, entry.name))
  })

/** Runs an effect with a store in a new bucket. */
export const withBucket = <Step extends Effect.Effect<unknown, unknown, unknown>, A>(
  steps: (
    given: TemporaryBucket["Service"] & { readonly store: MediaStore["Service"] }
  ) => Generator<Step, A, never>
) =>
  Effect.gen(function* () {
    const { options, server } = yield* TemporaryBucket
    const store = yield* MediaStore
    return yield* Effect.gen(() => steps({ options, server, store }))
  }).pipe(Effect.provide(inNewBucket))
