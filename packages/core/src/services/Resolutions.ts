/**
 * Presets in use: what a reference means right now, or meant at an instant, and the request that is
 * meant when one is laid over it.
 */
import { takeReference } from "@verbatim/resolution"
import { Context, type DateTime, Effect, Layer, Option } from "effect"
import type { Preset } from "../domain/preset/Preset.ts"
import { refuseInactive } from "../domain/preset/PresetChange.ts"
import type { PresetWanted } from "../domain/preset/PresetCommand.ts"
import * as PresetReference from "../domain/preset/PresetReference.ts"
import {
  type PresetInactive,
  PresetNotFound,
  VersionNotFound
} from "../domain/preset/PresetRefusal.ts"
import {
  layOver,
  type PinnedVersion,
  type PresetResolution,
  type ResolvingRequest
} from "../domain/preset/PresetResolution.ts"
import type { PresetVersion } from "../domain/preset/PresetVersion.ts"
import { InvalidRequest } from "../domain/schema/Problem.ts"
import { PresetStore, type PresetStoreError } from "../ports/PresetStore.ts"
import { trace } from "../ports/Trace.ts"

/** Why a reference means nothing. */
export type NotPinned =
  | InvalidRequest
  | PresetInactive
  | PresetNotFound
  | PresetStoreError
  | VersionNotFound

export class Resolutions extends Context.Service<
  Resolutions,
  {
    /**
     * The version that `slug`, `slug@version` or `slug@label` means: without a version, the one
     * that is designated or labelled, now or at an instant. Only active presets have one.
     */
    readonly pin: (wanted: PresetWanted) => Effect.Effect<PinnedVersion, NotPinned>
    /** Lays a request over what a reference means. */
    readonly resolve: (
      wanted: PresetWanted,
      request: ResolvingRequest["request"]
    ) => Effect.Effect<PresetResolution, NotPinned>
    /** The same for a request that names its preset itself, in its `preset` or its `model`. */
    readonly resolveNamed: (
      wanted: Omit<PresetWanted, "preset">,
      request: ResolvingRequest["request"]
    ) => Effect.Effect<PresetResolution, NotPinned>
  }
>()("@verbatim/core/services/Resolutions") {
  static readonly layer: Layer.Layer<Resolutions, never, PresetStore> = Layer.effect(
    Resolutions,
    Effect.gen(function* () {
      const store = yield* PresetStore

      const numbered = Effect.fnUntraced(function* ({ id, slug }: Preset, version: number) {
        const found = yield* store.version(id, version)
        if (Option.isNone(found)) return yield* new VersionNotFound({ slug, version })
        return found.value
      })

      /** The version that was designated at an instant. */
      const designatedAt = Effect.fnUntraced(function* ({ id, slug }: Preset, at: DateTime.Utc) {
        const found = yield* store.designatedAt(id, at)
        if (Option.isNone(found)) return yield* new PresetNotFound({ slug })
        return found.value
      })

      const pin = trace("Resolutions.pin")(function* ({
        at,
        preset: text,
        principal
      }: PresetWanted) {
        const { label, slug, version } = yield* Effect.fromResult(PresetReference.decode(text))
        const found = yield* store.find(principal.workspaceId, slug)
        if (Option.isNone(found)) return yield* new PresetNotFound({ slug })
        const { preset } = found.value
        if (preset._tag !== "Active") return yield* refuseInactive(preset)
        const pinned = (pinned: PresetVersion) => ({
          slug,
          version: pinned,
          ...(label === undefined ? {} : { label })
        })
        if (version !== undefined) return pinned(yield* numbered(preset, version))
        if (label !== undefined) return yield* new PresetNotFound({ slug })
        return pinned(at === undefined ? found.value.version : yield* designatedAt(preset, at))
      })

      const resolve = trace("Resolutions.resolve")(function* (
        wanted: PresetWanted,
        request: ResolvingRequest["request"]
      ) {
        return layOver(yield* pin(wanted), { request, format: wanted.format })
      })

      return Resolutions.of({
        pin,
        resolve,
        resolveNamed: Effect.fnUntraced(function* (wanted, request) {
          const named = takeReference(request)
          if (named === "none") return yield* unnamed
          if (named === "twice") return yield* namedTwice
          return yield* resolve({ ...wanted, preset: named.preset }, named.request)
        })
      })
    })
  )
}

const unnamed = new InvalidRequest({
  problems: [{ path: "preset", rule: "must name a preset, here or in model" }]
})

const namedTwice = new InvalidRequest({
  problems: [{ path: "preset", rule: "must not name another preset than model" }]
})
