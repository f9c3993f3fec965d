/**
 * What goes: the content of a version, for example because a secret is in it, and archived presets,
 * whose slugs are free then.
 */
import { Effect } from "effect"
import type { Preset } from "../../domain/preset/Preset.ts"
import { applyErasure, judgeRemoval } from "../../domain/preset/PresetChange.ts"
import type { Erasure, PresetRemoval } from "../../domain/preset/PresetCommand.ts"
import type {
  ConditionFailed,
  LabelProtected,
  ManagementKeyRequired,
  PresetNotArchived,
  VersionInUse,
  VersionNotFound
} from "../../domain/preset/PresetRefusal.ts"
import { eraseContent, type PresetVersion } from "../../domain/preset/PresetVersion.ts"
import { PresetStore } from "../../ports/PresetStore.ts"
import { trace } from "../../ports/Trace.ts"
import { settle, writable } from "./Creations.ts"
import { type NotRead, PresetChanges } from "./PresetChanges.ts"

/** Rows of a removed preset that one step deletes, which is one transaction. */
const rowMax = 200

/** Steps that whoever removes a preset takes; a worker takes the others. */
const stepMax = 5

/** A version without its content, and the preset that it is of. */
export interface ErasedVersion {
  readonly preset: Preset
  readonly version: PresetVersion
}

/** Why the content of a version stays. */
export type NotErased =
  | ConditionFailed
  | ManagementKeyRequired
  | NotRead
  | VersionInUse
  | VersionNotFound

/** Why a preset stays. */
export type NotRemoved =
  | ConditionFailed
  | LabelProtected
  | ManagementKeyRequired
  | NotRead
  | PresetNotArchived

/** What goes, and what stays of it. */
export interface PresetHousekeeping {
  /**
   * Erases the content of a version to which nothing points, and all copies of it. Its number,
   * its times, its author and its comment stay, and it says when it was erased and by whom. To
   * erase it again changes nothing.
   */
  readonly erase: (erasure: Erasure) => Effect.Effect<ErasedVersion, NotErased>
  /**
   * Removes an archived preset with all that is known of it, labels included: so a key must be
   * one that may remove each of them. Its slug is free at once.
   */
  readonly remove: (removal: PresetRemoval) => Effect.Effect<Preset, NotRemoved>
}

/** Removals over the store of presets. */
export const makePresetHousekeeping: Effect.Effect<
  PresetHousekeeping,
  never,
  PresetChanges | PresetStore
> = Effect.gen(function* () {
  const store = yield* PresetStore
  const { attempt, change, get, numbered, takeAll } = yield* PresetChanges

  const erase = trace("PresetHousekeeping.erase")(function* (erasure: Erasure) {
    const { condition, principal } = erasure
    const slug = yield* writable(erasure)
    const by = principal.userId
    return yield* change(
      { condition, principal, slug },
      Effect.fnUntraced(function* ({ preset }, at) {
        const version = yield* numbered(preset, erasure.version)
        const next = yield* Effect.fromResult(applyErasure(preset, { version, by, at })).pipe(
          // Every state takes an erasure.
          Effect.catchTag("IllegalTransition", Effect.die)
        )
        if (next === preset) {
          // Whoever erased it may have done so after the preset was read.
          const now = yield* get({ principal, slug })
          return { next, answer: { preset: now.preset, version } }
        }
        const answer = { preset: next, version: eraseContent(version, { at, by }) }
        return { next, erased: version, answer }
      })
    )
  })

  /** Failures are no matter: a worker goes on where this ends. */
  const sweepSome = store
    .sweep(rowMax)
    .pipe(Effect.repeat({ while: (hasMore) => hasMore, times: stepMax - 1 }), Effect.ignore)

  const remove = trace("PresetHousekeeping.remove")(function* (removal: PresetRemoval) {
    const { condition, principal } = removal
    const slug = yield* writable(removal)
    const removed = yield* attempt(
      { condition, principal, slug },
      Effect.fnUntraced(function* ({ preset }) {
        const refusal = judgeRemoval(preset)
        if (refusal !== undefined) return yield* refusal
        const freeLabels = yield* takeAll(principal, preset)
        const { id: presetId, revision: expectedRevision } = preset
        yield* settle(store.remove({ presetId, expectedRevision, freeLabels }))
        return preset
      })
    )
    yield* sweepSome
    return removed
  })

  return { erase, remove }
})
