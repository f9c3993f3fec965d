/**
 * Creates workspaces for tests of preset files, each with its own in-memory store behind the API.
 * The contract tests cover other stores.
 */
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Filesystem from "@verbatim/adapters/filesystem"
import * as Memory from "@verbatim/adapters/memory"
import * as Net from "@verbatim/adapters/net"
import type { PresetFile } from "@verbatim/core/preset"
import { MediaIdentity, Services } from "@verbatim/core/services"
import type { Principal } from "@verbatim/core/workspace"
import { platform } from "@verbatim/embed/platform"
import { foundFirst, userId, workspaceId } from "@verbatim/testkit/samples"
import { Effect, Layer, Option, References } from "effect"
import { over } from "#src/command/LocalApi"
import { applyPlan, planAll } from "#src/presets/folderPlan"
import { mustFind, toDesignatedFile } from "#src/presets/PresetCalls"
import { writePreset } from "#src/presets/PresetWriter"

/** An operator with access to the database. */
export const operator: Principal = {
  kind: "management",
  workspaceId: workspaceId(1),
  userId: userId(1)
}

/** The media store is not used, because presets have no media. */
const media = Filesystem.layer({ directory: join(tmpdir(), "verbatim-test-rooms") })

/** Creates a separate workspace with its API and services. */
export const makeWorkspace = () =>
  over({ key: Option.none(), workspace: undefined }).pipe(
    Layer.provideMerge(Layer.effectDiscard(foundFirst)),
    Layer.provideMerge(Services.layer),
    Layer.provideMerge(MediaIdentity.layer),
    Layer.provideMerge(
      Layer.mergeAll(Layer.fresh(Memory.layer), platform, media, Net.layer({ allowedNetworks: [] }))
    ),
    Layer.provideMerge(Layer.succeed(References.MinimumLogLevel, "Warn")),
    Layer.orDie,
    Layer.fresh
  )

/** Plans the changes for one preset file. */
export const planFor = Effect.fnUntraced(function* (wanted: PresetFile) {
  const filed = new Map([[wanted.slug, { file: "a", preset: wanted }]])
  const { presets } = yield* planAll({ filed, label: null, prune: false })
  return presets[0] ?? (yield* Effect.die(new Error("there is no plan")))
})

/** Applies a file to the workspace, and returns the number of steps. */
export const agree = Effect.fnUntraced(function* (wanted: PresetFile) {
  const planned = yield* planFor(wanted)
  yield* applyPlan(planned, { label: null, comment: undefined })
  return planned.plan.steps.length
})

export const exported = (slug: string) => Effect.flatMap(mustFind(slug), toDesignatedFile)

export const exportedText = (slug: string) =>
  Effect.map(exported(slug), (preset) => writePreset(preset, "yaml"))
