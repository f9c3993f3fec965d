/**
 * Erases the content of versions, for example because it contains a secret, and removes archived
 * presets, which frees their slugs.
 */
import { Effect } from "effect"
import { applyErasure, checkRemoval } from "../../domain/preset/PresetChange.ts"
import type { Erasure, PresetRemoval } from "../../domain/preset/PresetCommand.ts"
import { eraseContent } from "../../domain/preset/PresetVersion.ts"
import { PresetStore } from "../../ports/PresetStore.ts"
import { trace } from "../../ports/Trace.ts"
import { requireWriteAccess, retryUnknownOutcome } from "./Creations.ts"
import { makePresetChanges } from "./PresetChanges.ts"

/** Number of rows of a removed preset that one step deletes, in one transaction. */
const rowMax = 200

/** Number of steps that the call to remove a preset takes itself; a worker takes the others. */
const stepMax = 5

/** Makes the methods for erasing and removing. */
export const makePresetHousekeeping = Effect.gen(function* () {
  const store = yield* PresetStore
  const { attempt, change, get, getVersion, checkAllLabels } = yield* makePresetChanges

  /**
   * Erases the content of a version that no pointer points to, and all copies of the content. The
   * version's number, times, author and comment stay, and the time and author of the erasure are
   * recorded. Erasing the content again changes nothing.
   */
  const erase = trace("PresetHousekeeping.erase")(function* (erasure: Erasure) {
    const { condition, principal } = erasure
    const slug = yield* requireWriteAccess(erasure)
    const by = principal.userId
    return yield* change(
      { condition, principal, slug },
      Effect.fnUntraced(function* ({ preset }, at) {
        const version = yield* getVersion(preset, erasure.version)
        const next = yield* Effect.fromResult(applyErasure(preset, { version, by, at })).pipe(
          // Erasure is allowed in every state.
          Effect.catchTag("IllegalTransition", Effect.die)
        )
        if (next === preset) {
          // The content may have been erased after the preset was read.
          const now = yield* get({ principal, slug })
          return { next, answer: { preset: now.preset, version } }
        }
        const answer = { preset: next, version: eraseContent(version, { at, by }) }
        return { next, erased: version, answer }
      })
    )
  })

  /** Failures do not matter, because a worker continues where this call stops. */
  const sweepSome = store
    .sweep(rowMax)
    .pipe(Effect.repeat({ while: (hasMore) => hasMore, times: stepMax - 1 }), Effect.ignore)

  /**
   * Removes an archived preset with all its data, including its labels. The key must therefore be
   * allowed to remove each label. The slug can be used again at once.
   */
  const remove = trace("PresetHousekeeping.remove")(function* (removal: PresetRemoval) {
    const { condition, principal } = removal
    const slug = yield* requireWriteAccess(removal)
    const removed = yield* attempt(
      { condition, principal, slug },
      Effect.fnUntraced(function* ({ preset }) {
        const refusal = checkRemoval(preset)
        if (refusal !== undefined) return yield* refusal
        const freeLabels = yield* checkAllLabels(principal, preset)
        const { id: presetId, revision: expectedRevision } = preset
        yield* retryUnknownOutcome(store.remove({ presetId, expectedRevision, freeLabels }))
        return preset
      })
    )
    yield* sweepSome
    return removed
  })

  return { erase, remove }
})
