import { join } from "node:path"
import { layer as nodeServices } from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem } from "effect"
import * as Tree from "#src/pocketsphinx/Tree"

/** Whether a sealed tree with a file and a link is still taken for whole after a change to it. */
const isIntactAfter = (
  change: (fs: FileSystem.FileSystem, root: string) => Effect.Effect<unknown, unknown>
) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const root = yield* fs.makeTempDirectoryScoped()
    yield* fs.makeDirectory(join(root, "usr/lib"), { recursive: true })
    yield* fs.writeFileString(join(root, "usr/lib/model"), "12345")
    yield* fs.symlink("nowhere", join(root, "usr/lib/link"))
    yield* Tree.seal(root)
    yield* change(fs, root)
    return (yield* Tree.intact(root)) !== undefined
  }).pipe(Effect.scoped, Effect.provide(nodeServices))

describe("Tree", () => {
  it.live("is intact as it was sealed", () =>
    Effect.gen(function* () {
      assert.isTrue(yield* isIntactAfter(() => Effect.void))
    })
  )

  it.live("is not when a file was cut, lost or added, or the list is gone or broken", () =>
    Effect.gen(function* () {
      const isIntact = yield* Effect.all([
        isIntactAfter((fs, root) => fs.truncate(join(root, "usr/lib/model"), 4)),
        isIntactAfter((fs, root) => fs.remove(join(root, "usr/lib/link"))),
        isIntactAfter((fs, root) => fs.writeFileString(join(root, "more"), "")),
        isIntactAfter((fs, root) => fs.remove(join(root, "files.json"))),
        isIntactAfter((fs, root) => fs.truncate(join(root, "files.json"), 5)),
        isIntactAfter((fs, root) => fs.remove(root, { recursive: true }))
      ])
      assert.deepStrictEqual(isIntact, [false, false, false, false, false, false])
    })
  )
})
