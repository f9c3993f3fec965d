import { Effect, FileSystem, Layer } from "effect"
import { MediaStoreContract } from "#src/contracts/index"
import { FakeMedia } from "#src/fakes/FakeMedia"

/** Tests the fake media store, and that the files that it opens can be read. */
const fake = Layer.effect(
  FileSystem.FileSystem,
  FakeMedia.useSync(({ contentOf }) =>
    FileSystem.makeNoop({ readFile: (path) => Effect.succeed(contentOf(path) ?? new Uint8Array()) })
  )
).pipe(Layer.provideMerge(FakeMedia.layer))

MediaStoreContract.suite("fake", fake, {
  skip: [
    {
      test: "stores and opens 160 MB of content without holding all of it in memory",
      reason: "memory is where it stores"
    }
  ]
})
