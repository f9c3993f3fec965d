/**
 * Workspaces for tests of presets as files: each in a store of its own, behind its door.
 */
import * as Memory from "@verbatim/adapters/memory"
import * as Sqlite from "@verbatim/adapters/sqlite"
import type { Stores } from "@verbatim/core/ports"
import type { PresetFile } from "@verbatim/core/preset"
import { pointedOf } from "@verbatim/core/preset"
import { ApiKeys, Presets } from "@verbatim/core/services"
import type { Principal } from "@verbatim/core/workspace"
import { platform } from "@verbatim/embed/platform"
import { foundFirst, userId, workspaceId } from "@verbatim/testkit/samples"
import { Effect, Layer, Option } from "effect"
import { toFile } from "#src/presets/command/looking"
import { PresetDoor } from "#src/presets/door/PresetDoor"
import * as StoreDoor from "#src/presets/door/StoreDoor"
import { writePreset } from "#src/presets/file/PresetText"
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
  memory: { stores: () => Memory.layer, runs: 60 },
  SQLite: { stores: () => Layer.orDie(Sqlite.layer({ filename: ":memory:" })), runs: 12 },
  // Each is a schema of its own, which takes a fifth of a second to make.
  Postgres: { stores: PostgresRoom.stores, runs: 4 }
}

/** A workspace that nobody else has, with its door and its services. */
export const makeRoom = (stores: Layer.Layer<Stores>) =>
  StoreDoor.layer(operator).pipe(
    Layer.provideMerge(Layer.merge(ApiKeys.layer, Presets.layer)),
    Layer.provideMerge(Layer.effectDiscard(foundFirst)),
    Layer.provideMerge(Layer.merge(Layer.fresh(stores), platform)),
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
  const door = yield* PresetDoor
  const found = Option.getOrThrow(yield* door.find(slug))
  const version = Option.getOrThrow(Option.fromUndefinedOr(pointedOf(found, null)))
  return toFile(found, version)
})

/** The same as text. */
export const exportedText = (slug: string) =>
  Effect.map(exported(slug), (preset) => writePreset(preset, "yaml"))
