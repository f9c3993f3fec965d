/** Creates stores for tests, each in its own folder, which is removed when the scope closes. */
import { mkdtemp, readdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { NodeFileSystem } from "@effect/platform-node"
import { layer } from "@verbatim/adapters/filesystem"
import { MediaStore } from "@verbatim/core/ports"
import { Effect, Layer } from "effect"

/** Creates an empty folder. */
export const newFolder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "verbatim-media-"))),
  (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
)

/** Creates a store in a new folder, and a function that reads the files that the store opens. */
export const inNewFolder = Layer.merge(
  Layer.unwrap(
    Effect.map(newFolder, (folder) => layer({ directory: join(folder, "data", "media") }))
  ),
  NodeFileSystem.layer
)

/** Lists every file and folder within a folder, by relative path. */
export const everythingIn = (folder: string) =>
  Effect.promise(async () => (await readdir(folder, { recursive: true })).sort())

/** Runs an effect with a store in the given folder. */
export const onStore = <A, E, R>(folder: string, effect: Effect.Effect<A, E, R | MediaStore>) =>
  Effect.provide(effect, layer({ directory: folder }), { local: true })

/** Runs an effect with a store in a new folder. */
export const withStore = <Step extends Effect.Effect<unknown, unknown, unknown>, A>(
  steps: (store: MediaStore["Service"], folder: string) => Generator<Step, A, never>
) =>
  Effect.flatMap(newFolder, (folder) =>
    onStore(
      folder,
      Effect.flatMap(MediaStore, (store) => Effect.gen(() => steps(store, folder)))
    )
  )
