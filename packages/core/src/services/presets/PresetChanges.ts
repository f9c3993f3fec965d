/**
 * Changes presets: reads a preset, lets the pure state machine decide on the change, and writes the
 * result unless another writer has since changed the preset. Also erases the content of versions,
 * for example because it contains a secret, and removes archived presets, which frees their slugs.
 */
import { Context, DateTime, Effect, Layer, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import { moveBetween } from "../../domain/preset/Designation.ts"
import { findUnprotectedLabels } from "../../domain/preset/LabelChange.ts"
import type { Preset } from "../../domain/preset/Preset.ts"
import { applyErasure, checkRemoval, PresetChangeId } from "../../domain/preset/PresetChange.ts"
import type {
  ConditionalAddress,
  Erasure,
  PresetAddress,
  PresetRemoval
} from "../../domain/preset/PresetCommand.ts"
import {
  ConditionFailed,
  findUnmetCondition,
  PresetNotFound,
  VersionNotFound
} from "../../domain/preset/PresetRefusal.ts"
import * as PresetSlug from "../../domain/preset/PresetSlug.ts"
import { eraseContent, type PresetVersion } from "../../domain/preset/PresetVersion.ts"
import type { DesignatedPreset } from "../../domain/preset/VersionSelector.ts"
import type { InvalidRequest } from "../../domain/schema/Problem.ts"
import type { Principal } from "../../domain/workspace/ApiKey.ts"
import type { LabelName } from "../../domain/workspace/LabelName.ts"
import {
  PresetStore,
  PresetStoreError,
  type Removal,
  type Revision
} from "../../ports/PresetStore.ts"
import { trace } from "../../ports/Trace.ts"
import { changeRetries, makeKeyedLock } from "../quota/Quota.ts"
import { requireWriteAccess, retryUnknownOutcome, timeoutError } from "./Creations.ts"

/** The reasons why a preset cannot be read. */
export type NotRead = InvalidRequest | PresetNotFound | PresetStoreError

/** The decision on a change to a preset. `next` is the same preset if nothing changes. */
interface Decision<A> {
  readonly next: Preset
  /** The value that the change returns to its caller. */
  readonly answer: A
  /** The version that the change designates. */
  readonly designated?: PresetVersion
  /** The label that the change moves or removes. */
  readonly label?: LabelName
  /** The labels that the decision assumes to be unprotected. */
  readonly freeLabels?: ReadonlyArray<LabelName>
  /** The version to erase. */
  readonly erased?: PresetVersion
}

/** Converts a decision to the records that are written with the preset. */
const partsOf = (
  { designated, erased, freeLabels, label, next }: Omit<Decision<unknown>, "answer">,
  { before, by }: { readonly before: Preset; readonly by: Principal["userId"] }
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

const contended = () => new PresetStoreError({ operation: "write", reason: { _tag: "Contended" } })

const newLocks = () => makeKeyedLock({ contended, timeoutError })

/** The locks on presets, shared by all methods in a process. */
export class PresetLocks extends Context.Service<PresetLocks, ReturnType<typeof newLocks>>()(
  "@verbatim/core/services/PresetLocks"
) {
  static readonly layer: Layer.Layer<PresetLocks> = Layer.sync(PresetLocks, newLocks)
}

/** Creates functions that read presets. */
const makePresetReads = Effect.map(PresetStore, (store) => {
  /**
   * Returns the preset with its designated version. This function runs for every request that uses
   * a preset, so it is written without a generator.
   */
  const get = ({
    principal,
    slug: text
  }: PresetAddress): Effect.Effect<DesignatedPreset, NotRead> =>
    Effect.flatMapEager(Effect.fromResult(PresetSlug.decode(text)), (slug) =>
      Effect.flatMap(store.find(principal.workspaceId, slug), (found) =>
        Option.isNone(found)
          ? Effect.fail(new PresetNotFound({ slug }))
          : Effect.succeed(found.value)
      )
    )

  /** Returns the version of a preset with the given number. */
  const getVersion = Effect.fnUntraced(function* ({ id, slug }: Preset, version: number) {
    const found = yield* store.version(id, version)
    if (Option.isNone(found)) return yield* new VersionNotFound({ slug, version })
    return found.value
  })

  return { get, getVersion }
})

/** Creates functions that read and change presets. */
export const makePresetChanges = Effect.gen(function* () {
  const store = yield* PresetStore
  const { get, getVersion } = yield* makePresetReads
  const random = yield* SecureRandom.SecureRandom
  const locks = yield* PresetLocks
  const newId = Effect.map(random.uuidV7(), (id) => PresetChangeId.make(id))

  /**
   * Runs an effect that reads, decides and writes, and reruns it if another writer has since
   * changed the preset.
   */
  const attempt = Effect.fnUntraced(
    function* <A, E, R>(
      { condition = {}, principal, slug }: ConditionalAddress,
      write: (found: DesignatedPreset) => Effect.Effect<A, E, R>
    ) {
      const found = yield* get({ principal, slug })
      const unmet = findUnmetCondition(condition, found.preset)
      if (unmet !== undefined) return yield* new ConditionFailed({ slug, unmet })
      return yield* write(found)
    },
    Effect.retry({ while: isSuperseded, ...changeRetries }),
    (changing, { principal, slug }) => locks.run(`${principal.workspaceId}/${slug}`, changing)
  )

  /** Reads a preset, decides on a change and commits it, with the same retries as `attempt`. */
  const change = <A, E, R>(
    changing: ConditionalAddress,
    decide: (found: DesignatedPreset, at: DateTime.Utc) => Effect.Effect<Decision<A>, E, R>
  ) =>
    attempt(
      changing,
      Effect.fnUntraced(function* (found: DesignatedPreset) {
        const { preset } = found
        const { answer, ...decision } = yield* decide(found, yield* DateTime.now)
        const { next } = decision
        if (next === preset) return answer
        const by = changing.principal.userId
        const revision = {
          id: yield* newId,
          next,
          expectedRevision: preset.revision,
          ...partsOf(decision, { before: preset, by })
        }
        yield* retryUnknownOutcome(store.revise(revision))
        return answer
      })
    )

  /**
   * Returns the unprotected labels of a preset. Fails if the key is not allowed to take all of the
   * preset's labels out of service.
   */
  const checkAllLabels = (principal: Principal, preset: Preset) =>
    Effect.flatMap(store.protectedLabels(preset.workspaceId), (held) =>
      Effect.fromResult(findUnprotectedLabels(principal, { held, preset }))
    )

  return { get, getVersion, change, attempt, checkAllLabels, newId }
})

const superseded = () =>
  new PresetStoreError({ operation: "remove", reason: { _tag: "Superseded" } })

const isSuperseded = (error: unknown): boolean =>
  error instanceof PresetStoreError && error.reason._tag === "Superseded"

/** Number of rows of removed presets that one step deletes, in one transaction. */
const rowMax = 200

/** Maximum number of deletion steps in the call that removes a preset; a worker takes the rest. */
const stepMax = 5

/**
 * Deletes some rows of removed presets. Failures are ignored, because a worker deletes the rest.
 */
const sweepSome = (store: PresetStore["Service"]) =>
  store
    .sweep(rowMax)
    .pipe(Effect.repeat({ while: (hasMore) => hasMore, times: stepMax - 1 }), Effect.ignore)

/**
 * Removes a preset. Fails with `Superseded` if another removal was faster. After a try with an
 * unknown outcome, a missing preset counts as removed by that try, because its rows may be deleted.
 */
const removeOnce = (
  store: PresetStore["Service"],
  { preset, ...given }: Pick<Removal, "freeLabels" | "id"> & { readonly preset: Preset }
) =>
  Effect.suspend(() => {
    let isRepeat = false
    const removal = { ...given, presetId: preset.id, expectedRevision: preset.revision }
    const removing = store.remove(removal).pipe(
      Effect.tapError(() =>
        Effect.sync(() => {
          isRepeat = true
        })
      ),
      Effect.filterOrFail((isRemoved) => isRemoved || isRepeat, superseded)
    )
    return retryUnknownOutcome(removing)
  })

/** Creates the methods that erase versions and remove presets. */
export const makePresetHousekeeping = Effect.gen(function* () {
  const store = yield* PresetStore
  const { attempt, change, get, getVersion, checkAllLabels, newId } = yield* makePresetChanges

  const erase = trace("PresetHousekeeping.erase")(function* (erasure: Erasure) {
    const { condition, principal } = erasure
    const slug = yield* requireWriteAccess(erasure)
    const by = principal.userId
    return yield* change(
      { condition, principal, slug },
      Effect.fnUntraced(function* ({ preset }, at) {
        const version = yield* getVersion(preset, erasure.version)
        const next = yield* Effect.fromResult(applyErasure(preset, { version, by, at })).pipe(
          // A preset accepts an erasure in every state, so a refusal would be a bug.
          Effect.catchTag("IllegalTransition", Effect.die)
        )
        if (next === preset) {
          // The preset is read again, because the content may have been erased after the first
          // read.
          const now = yield* get({ principal, slug })
          return { next, answer: { preset: now.preset, version } }
        }
        const answer = { preset: next, version: eraseContent(version, { at, by }) }
        return { next, erased: version, answer }
      })
    )
  })

  const remove = trace("PresetHousekeeping.remove")(function* (removal: PresetRemoval) {
    const { condition, principal } = removal
    const slug = yield* requireWriteAccess(removal)
    const removed = yield* attempt(
      { condition, principal, slug },
      Effect.fnUntraced(function* ({ preset }) {
        const refusal = checkRemoval(preset)
        if (refusal !== undefined) return yield* refusal
        const freeLabels = yield* checkAllLabels(principal, preset)
        yield* removeOnce(store, { preset, id: yield* newId, freeLabels })
        return preset
      })
    )
    yield* sweepSome(store)
    return removed
  })

  return {
    /**
     * Erases all copies of the content of a version, which must be neither designated nor labelled.
     * The other fields stay, and the erasure is recorded. Erasing the content again changes
     * nothing.
     */
    erase,
    /**
     * Removes an archived preset with all its data, including its labels. The key must therefore be
     * allowed to remove each label. The slug can be reused immediately.
     */
    remove
  }
})
