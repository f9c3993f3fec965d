/**
 * Presets: an inference request body becomes a stored version.
 */
import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { PresetStore, type PresetStoreError } from "../ports/PresetStore.ts"
import type { Principal } from "../workspace/Principal.ts"
import type { DesignatedPreset } from "./DesignatedPreset.ts"
import * as PresetConfig from "./PresetConfig.ts"
import { PresetId } from "./PresetId.ts"
import * as PresetSlug from "./PresetSlug.ts"
import { PresetVersionId } from "./PresetVersion.ts"
import type { InvalidRequest } from "./RequestProblem.ts"

/** Writing presets takes a management key. */
export class ManagementKeyRequired extends Schema.TaggedError<ManagementKeyRequired>()(
  "ManagementKeyRequired",
  {}
) {}

/** The workspace has no preset with that slug. */
export class PresetNotFound extends Schema.TaggedError<PresetNotFound>()("PresetNotFound", {
  slug: Schema.String
}) {}

/** A request to store a preset. */
export interface PresetCreation<E, R> {
  readonly principal: Principal
  readonly slug: string
  /** The header `x-session-id`, which is held to the limit of `session_id` where there is none. */
  readonly sessionIdHeader?: string | undefined
  /** Reads the body. It is not run for a caller who may not write, or for a slug that is none. */
  readonly body: Effect.Effect<unknown, E, R>
}

export class Presets extends Context.Service<
  Presets,
  {
    /**
     * Stores the part of a Responses-style request that a preset keeps, as the next version of the
     * preset with that slug; the preset is created when there is none. The new version is
     * designated.
     *
     * Refusals come in the order of the checks: the key, the slug, the body.
     */
    readonly create: <E, R>(
      creation: PresetCreation<E, R>
    ) => Effect.Effect<
      DesignatedPreset,
      ManagementKeyRequired | InvalidRequest | PresetStoreError | E,
      R
    >
    /** The preset with its designated version. */
    readonly get: (
      principal: Principal,
      slug: string
    ) => Effect.Effect<DesignatedPreset, InvalidRequest | PresetNotFound | PresetStoreError>
  }
>()("@verbatim/core/preset/Presets") {
  static readonly layer: Layer.Layer<Presets, never, PresetStore | SecureRandom.SecureRandom> =
    Layer.effect(
      Presets,
      Effect.gen(function* () {
        const store = yield* PresetStore
        const random = yield* SecureRandom.SecureRandom

        const create = Effect.fn("Presets.create")(function* <E, R>({
          body,
          principal,
          sessionIdHeader,
          slug
        }: PresetCreation<E, R>) {
          if (principal.kind !== "management") return yield* new ManagementKeyRequired()
          const valid = yield* Effect.fromResult(PresetSlug.decode(slug))
          const kept = yield* Effect.fromResult(
            PresetConfig.decode(yield* body, { sessionIdHeader })
          )
          return yield* store.append({
            workspaceId: principal.workspaceId,
            slug: valid,
            presetId: PresetId.make(yield* random.uuidV7()),
            versionId: PresetVersionId.make(yield* random.uuidV7()),
            creatorId: principal.userId,
            systemPrompt: kept.systemPrompt,
            config: kept.config,
            at: yield* DateTime.now
          })
        })

        const get = Effect.fn("Presets.get")(function* (principal: Principal, slug: string) {
          const valid = yield* Effect.fromResult(PresetSlug.decode(slug))
          const found = yield* store.find(principal.workspaceId, valid)
          if (Option.isNone(found)) return yield* new PresetNotFound({ slug })
          return found.value
        })

        return Presets.of({ create, get })
      })
    )
}
