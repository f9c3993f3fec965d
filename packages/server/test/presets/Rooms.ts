/**
 * Workspaces for tests of presets as files: each in a store of its own, behind its API.
 */
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Filesystem from "@verbatim/adapters/filesystem"
import * as Memory from "@verbatim/adapters/memory"
import * as Net from "@verbatim/adapters/net"
import * as Sqlite from "@verbatim/adapters/sqlite"
import type { Stores } from "@verbatim/core/ports"
import type { PresetFile } from "@verbatim/core/preset"
import { pointedOf } from "@verbatim/core/preset"
import { MediaIdentity, Services } from "@verbatim/core/services"
import type { Principal } from "@verbatim/core/workspace"
import { platform } from "@verbatim/embed/platform"
import { foundFirst, userId, workspaceId } from "@verbatim/testkit/samples"
import { Effect, Layer, Option, References } from "effect"
import { over } from "#src/command/LocalApi"
import { toFile } from "#src/presets/command/looking"
import { writePreset } from "#src/presets/file/YamlText"
import { findPreset } from "#src/presets/PresetCalls"
import { applyOne } from "#src/presets/plan/Applying"
import { planOne } from "#src/presets/plan/Planned"
import * as PostgresRoom from "./PostgresRoom.ts"

/** Who has the database. */
export const operator: Principal = {
  kind: "management",
  workspaceId: workspaceId(1),
  userId: userId(1)
}

/** The stores that a room may have, each new, and how many generated presets it is worth. */
export const rooms: Readonly<
  Record<string, { readonly stores: () => Layer.Layer<Stores>; readonly runs: number }>
> = {
  memory: { stores: () => Memory.layer, runs: 24 },
  SQLite: { stores: () => Layer.orDie(Sqlite.layer({ filename: ":memory:" })), runs: 6 },
  // Each is a schema of its own, which takes a fifth of a second to make.
  Postgres: { stores: PostgresRoom.stores, runs: 4 }
}

/** No preset has media. */
const media = Filesystem.layer({ directory: join(tmpdir(), "verbatim-test-rooms") })

/** A workspace of its own, with its API and its services. */
export const makeRoom = (stores: Layer.Layer<Stores>) =>
  over({ key: Option.none(), workspace: Option.none() }).pipe(
    Layer.provideMerge(Layer.effectDiscard(foundFirst)),
    Layer.provideMerge(Services.layer),
    Layer.provideMerge(MediaIdentity.layer),
    Layer.provideMerge(
      Layer.mergeAll(Layer.fresh(stores), platform, media, Net.layer({ allowNetworks: [] }))
    ),
    Layer.provideMerge(Layer.succeed(References.MinimumLogLevel, "Warn")),
    Layer.orDie,
    Layer.fresh
  )

const options = { label: null, comment: null }

/** Makes the workspace agree with a file; how many acts that took. */
export const agree = Effect.fnUntraced(function* (wanted: PresetFile) {
  const planned = yield* planOne({ wanted, file: "a", label: null, expected: undefined })
  yield* applyOne(planned, options)
  return planned.plan.steps.length
})

/** What export writes of a preset. */
export const exported = Effect.fnUntraced(function* (slug: string) {
  const found = Option.getOrThrow(yield* findPreset(slug))
  const version = Option.getOrThrow(Option.fromUndefinedOr(pointedOf(found, null)))
  return toFile(found, version)
})

/** The same as text. */
export const exportedText = (slug: string) =>
  Effect.map(exported(slug), (preset) => writePreset(preset, "yaml"))
