/**
 * Opens the core services over a SQLite file twice. The second time, the services find the preset
 * that was stored the first time.
 */
import { join } from "node:path"
import { NodeCrypto, NodeFileSystem, NodeRuntime } from "@effect/platform-node"
import * as Filesystem from "@verbatim/adapters/filesystem"
import * as Net from "@verbatim/adapters/net"
import * as Sqlite from "@verbatim/adapters/sqlite"
import { Presets, Services, Workspaces } from "@verbatim/core"
import { Console, Effect, FileSystem, Layer } from "effect"

/**
 * To use Postgres, replace this layer with `Postgres.layer({ url })`; the rest of the program stays
 * the same.
 */
const servicesIn = (directory: string) =>
  Services.layer.pipe(
    Layer.provide([
      Sqlite.layer({ filename: join(directory, "verbatim.db") }),
      Filesystem.layer({ directory: join(directory, "media") }),
      Net.layer({ allowedNetworks: [] }),
      NodeCrypto.layerSecureRandom,
      NodeCrypto.layerDigest
    ])
  )

const store = (instructions: string) =>
  Effect.gen(function* () {
    const workspaces = yield* Workspaces
    yield* workspaces.found({ minutes: 600, keys: [] })
    const [{ workspace } = yield* Effect.die("no workspace")] = yield* workspaces.accounts({
      after: null,
      limit: 1
    })
    const principal = {
      kind: "management" as const,
      workspaceId: workspace.id,
      userId: workspace.firstUserId
    }
    const body = Effect.succeed({ model: "any/model", instructions })
    const { version } = yield* (yield* Presets).create({ principal, slug: "notes", body })
    yield* Console.log(`version ${version.version}: ${version.systemPrompt}`)
  })

const program = Effect.gen(function* () {
  const files = yield* FileSystem.FileSystem
  const directory = yield* files.makeTempDirectoryScoped({ prefix: "verbatim-" })
  yield* Effect.provide(store("Take notes."), servicesIn(directory))
  yield* Effect.provide(store("Take short notes."), servicesIn(directory))
})

program.pipe(Effect.scoped, Effect.provide(NodeFileSystem.layer), NodeRuntime.runMain)
