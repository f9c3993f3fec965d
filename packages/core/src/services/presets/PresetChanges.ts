/**
 * How a preset is changed: read, decided by the pure machine, and written only if nobody else was
 * faster. Callers in one process who change one preset take turns.
 */
import { Context, DateTime, Effect, Layer, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import { moveBetween } from "../../domain/preset/Designation.ts"
import { takeLabels } from "../../domain/preset/LabelChange.ts"
import type { Preset } from "../../domain/preset/Preset.ts"
import { PresetChangeId } from "../../domain/preset/PresetChange.ts"
import type { Named } from "../../domain/preset/PresetCommand.ts"
import {
  ConditionFailed,
  type LabelProtected,
  type ManagementKeyRequired,
  type PresetCondition,
  PresetNotFound,
  unmetBy,
  VersionNotFound
} from "../../domain/preset/PresetRefusal.ts"
import * as PresetSlug from "../../domain/preset/PresetSlug.ts"
import type { PresetVersion } from "../../domain/preset/PresetVersion.ts"
import type { DesignatedPreset } from "../../domain/preset/VersionPoint.ts"
import type { InvalidRequest } from "../../domain/schema/Problem.ts"
import type { Principal } from "../../domain/workspace/ApiKey.ts"
import type { LabelName } from "../../domain/workspace/LabelName.ts"
import { PresetStore, PresetStoreError, type Revision } from "../../ports/PresetStore.ts"
import { changeRetries, makeKeyedLock } from "../quota/Quota.ts"
import { late, settle } from "./Creations.ts"

/** Why a preset is not read. */
export type NotRead = InvalidRequest | PresetNotFound | PresetStoreError

/** A preset that shall change, and what must hold of it then. */
export interface Changing extends Named {
  readonly condition?: PresetCondition | undefined
}

/** What was decided about a preset: the same one when nothing changes. */
export interface Decision<A> {
  readonly next: Preset
  /** What the caller is answered. */
  readonly answer: A
  /** The version that it designates. */
  readonly designated?: PresetVersion
  /** The label that it moves or removes. */
  readonly label?: LabelName
  /** Labels that nobody protects, on which it was decided. */
  readonly freeLabels?: ReadonlyArray<LabelName>
  /** The version whose content it erases. */
  readonly erased?: PresetVersion
}

type Parts = Omit<Decision<unknown>, "answer" | "next">

/** What is written with the preset. */
const partsOf = (
  { designated, erased, freeLabels, label }: Parts,
  {
    before,
    by,
    next
  }: Pick<Decision<unknown>, "next"> & {
    readonly before: Preset
    readonly by: Named["principal"]["userId"]
  }
): Pick<Revision, "designation" | "erasure" | "freeLabels" | "label"> => ({
  designation: Option.map(Option.fromUndefinedOr(designated), ({ version }) => ({
    presetId: next.id,
    revision: next.revision,
    from: before.designatedVersion,
    to: version,
    by,
    at: next.updatedAt
  })),
  label: label && moveBetween({ before, next }, { by, label }),
  freeLabels,
  erasure: erased && { version: erased.version, at: next.updatedAt, by }
})

export class PresetChanges extends Context.Service<
  PresetChanges,
  {
    /** The preset with its designated version. */
    readonly get: (named: Named) => Effect.Effect<DesignatedPreset, NotRead>
    /** A version of a preset by its number. */
    readonly numbered: (
      preset: Preset,
      version: number
    ) => Effect.Effect<PresetVersion, PresetStoreError | VersionNotFound>
    /** Reads, decides, commits; begins again when somebody else was faster. */
    readonly change: <A, E, R>(
      changing: Changing,
      decide: (found: DesignatedPreset, at: DateTime.Utc) => Effect.Effect<Decision<A>, E, R>
    ) => Effect.Effect<A, ConditionFailed | E | NotRead, R>
    /** The same for what is written by the effect itself. */
    readonly attempt: <A, E, R>(
      changing: Changing,
      write: (found: DesignatedPreset) => Effect.Effect<A, E, R>
    ) => Effect.Effect<A, ConditionFailed | E | NotRead, R>
    /**
     * The labels of a preset that nobody protects, for a key that may take all of its labels out of
     * service.
     */
    readonly takeAll: (
      principal: Principal,
      preset: Preset
    ) => Effect.Effect<
      ReadonlyArray<LabelName>,
      LabelProtected | ManagementKeyRequired | PresetStoreError
    >
  }
>()("@verbatim/core/services/PresetChanges") {
  static readonly layer: Layer.Layer<
    PresetChanges,
    never,
    PresetStore | SecureRandom.SecureRandom
  > = Layer.effect(
    PresetChanges,
    Effect.gen(function* () {
      const store = yield* PresetStore
      const random = yield* SecureRandom.SecureRandom
      const turns = makeKeyedLock({ contended, late })

      /** Every request that uses a preset comes through here: no generator. */
      const get = ({ principal, slug: text }: Named) =>
        Effect.flatMapEager(Effect.fromResult(PresetSlug.decode(text)), (slug) =>
          Effect.flatMap(store.find(principal.workspaceId, slug), (found) =>
            Option.isNone(found)
              ? Effect.fail(new PresetNotFound({ slug }))
              : Effect.succeed(found.value)
          )
        )

      const numbered = Effect.fnUntraced(function* ({ id, slug }: Preset, version: number) {
        const found = yield* store.version(id, version)
        if (Option.isNone(found)) return yield* new VersionNotFound({ slug, version })
        return found.value
      })

      const attempt = Effect.fnUntraced(
        function* <A, E, R>(
          { condition = {}, principal, slug }: Changing,
          write: (found: DesignatedPreset) => Effect.Effect<A, E, R>
        ) {
          const found = yield* get({ principal, slug })
          const unmet = unmetBy(condition, found.preset)
          if (unmet !== undefined) return yield* new ConditionFailed({ slug, unmet })
          return yield* write(found)
        },
        Effect.retry({ while: isSuperseded, ...changeRetries }),
        (changing, { principal, slug }) => turns.take(`${principal.workspaceId}/${slug}`, changing)
      )

      const change = <A, E, R>(
        changing: Changing,
        decide: (found: DesignatedPreset, at: DateTime.Utc) => Effect.Effect<Decision<A>, E, R>
      ) =>
        attempt(
          changing,
          Effect.fnUntraced(function* (found: DesignatedPreset) {
            const { preset } = found
            const { answer, next, ...parts } = yield* decide(found, yield* DateTime.now)
            if (next === preset) return answer
            const by = changing.principal.userId
            const revision = {
              id: PresetChangeId.make(yield* random.uuidV7()),
              next,
              expectedRevision: preset.revision,
              ...partsOf(parts, { before: preset, by, next })
            }
            yield* settle(store.revise(revision))
            return answer
          })
        )

      const takeAll = (principal: Principal, preset: Preset) =>
        Effect.flatMap(store.protectedLabels(preset.workspaceId), (held) =>
          Effect.fromResult(takeLabels(principal, { held, preset }))
        )

      return PresetChanges.of({ get, numbered, change, attempt, takeAll })
    })
  )
}

const contended = () => new PresetStoreError({ operation: "write", reason: { _tag: "Contended" } })

const isSuperseded = (error: unknown): boolean =>
  error instanceof PresetStoreError && error.reason._tag === "Superseded"
