/**
 * Moves, removes and protects the labels of presets, and reads their history. Protection limits
 * which keys can move a label.
 */
import { DateTime, Effect } from "effect"
import {
  applyLabelMove,
  applyLabelRemoval,
  checkLabelMove,
  checkProtection,
  type ProtectionCaller,
  protectedLabelMax
} from "../../domain/preset/LabelChange.ts"
import type { Preset } from "../../domain/preset/Preset.ts"
import { refuseInactive } from "../../domain/preset/PresetChange.ts"
import type {
  LabelAddress,
  LabelRemoval,
  LabelWrite,
  PresetAddress
} from "../../domain/preset/PresetCommand.ts"
import { listLabels, targetOf } from "../../domain/preset/PresetLabels.ts"
import {
  ConditionFailed,
  findUnmetLabelCondition,
  type PresetCondition,
  ProtectedLabelsFull
} from "../../domain/preset/PresetRefusal.ts"
import { findVersionNumber } from "../../domain/preset/VersionSelector.ts"
import type { Principal } from "../../domain/workspace/ApiKey.ts"
import * as LabelName from "../../domain/workspace/LabelName.ts"
import type { WorkspaceId } from "../../domain/workspace/Workspace.ts"
import { type Page, PresetStore, type PresetStoreError } from "../../ports/PresetStore.ts"
import { trace } from "../../ports/Trace.ts"
import { requireWriteAccess, retryUnknownOutcome } from "./Creations.ts"
import { makePresetChanges } from "./PresetChanges.ts"

/** A request to change the protection of a label. */
export interface ProtectionRequest {
  readonly by: ProtectionCaller
  readonly label: string
}

/** Creates the methods for labels and their protection. */
export const makeLabels = Effect.gen(function* () {
  return {
    ...(yield* makeLabelReads),
    ...(yield* makeLabelChanges),
    ...(yield* makeLabelProtection)
  }
})

const makeLabelReads = Effect.gen(function* () {
  const store = yield* PresetStore
  const { get } = yield* makePresetChanges

  const labels = trace("Labels.labels")(function* (named: PresetAddress) {
    const { preset } = yield* get(named)
    const held = yield* store.protectedLabels(preset.workspaceId)
    return listLabels(preset.labels).map((each) => ({
      ...each,
      isProtected: held.some(({ label }) => label === each.name)
    }))
  })

  const labelHistory = trace("Labels.labelHistory")(function* (named: LabelAddress, page: Page) {
    const label = yield* Effect.fromResult(LabelName.decode(named.label))
    const { preset } = yield* get(named)
    const moves = yield* store.labelMoves(preset.id, { ...page, label })
    // The moves are counted after the page is read. They are deleted only with the preset, so the
    // total is never less than the number shown.
    return { moves, total: yield* store.labelMoveCount(preset.id, label) }
  })

  return {
    /** Returns the labels of a preset, by name. */
    labels,
    /**
     * Returns the moves of a label with author and time, the oldest first. Removed labels have a
     * history too.
     */
    labelHistory
  }
})

/** Creates functions that check whether a label can be changed. */
const makeLabelChecks = Effect.map(PresetStore, (store) => {
  const isProtected = (workspaceId: WorkspaceId, label: LabelName.LabelName) =>
    Effect.map(store.protectedLabels(workspaceId), (all) =>
      all.some((each) => each.label === label)
    )

  /** Returns whether a label is unprotected. Fails if the key is not allowed to move it. */
  const checkLabel = Effect.fnUntraced(function* (
    principal: Principal,
    label: LabelName.LabelName
  ) {
    const isHeld = yield* isProtected(principal.workspaceId, label)
    const refusal = checkLabelMove(principal, { label, isProtected: isHeld })
    if (refusal !== undefined) return yield* refusal
    return !isHeld
  })

  /** Checks that the key can change the label, and that the label meets the condition. */
  const judge = Effect.fnUntraced(function* (
    preset: Preset,
    { condition = {}, label, principal }: Judged
  ) {
    const isFree = yield* checkLabel(principal, label)
    const unmet = findUnmetLabelCondition(condition, targetOf(preset.labels, label))
    if (unmet !== undefined) {
      return yield* new ConditionFailed({ slug: preset.slug, unmet, label })
    }
    return { label, freeLabels: isFree ? [label] : [] }
  })

  return { checkLabel, judge }
})

const makeLabelChanges = Effect.gen(function* () {
  const { change, getVersion } = yield* makePresetChanges
  const { checkLabel, judge } = yield* makeLabelChecks

  const moveLabel = trace("Labels.moveLabel")(function* <E, R>(write: LabelWrite<E, R>) {
    const { condition, principal } = write
    const slug = yield* requireWriteAccess(write)
    const label = yield* Effect.fromResult(LabelName.decode(write.label))
    yield* checkLabel(principal, label)
    const wanted = yield* write.wanted
    return yield* change(
      { principal, slug },
      Effect.fnUntraced(function* ({ preset }, at) {
        const held = yield* judge(preset, { condition, label, principal })
        const version = yield* getVersion(
          preset,
          yield* Effect.fromResult(findVersionNumber(preset, wanted))
        )
        const next = yield* Effect.mapError(
          Effect.fromResult(applyLabelMove(preset, { label, version, at })),
          (error) => (error._tag === "IllegalTransition" ? refuseInactive(preset) : error)
        )
        const movedAt = targetOf(next.labels, label)?.movedAt ?? at
        const target = {
          name: label,
          version: version.version,
          versionId: version.id,
          movedAt
        }
        return { next, ...held, answer: { preset: next, label: target, version } }
      })
    )
  })

  const removeLabel = trace("Labels.removeLabel")(function* (removal: LabelRemoval) {
    const { condition, principal } = removal
    const slug = yield* requireWriteAccess(removal)
    const label = yield* Effect.fromResult(LabelName.decode(removal.label))
    return yield* change(
      { principal, slug },
      Effect.fnUntraced(function* ({ preset }, at) {
        const held = yield* judge(preset, { condition, label, principal })
        const next = yield* Effect.mapError(
          Effect.fromResult(applyLabelRemoval(preset, { label, at })),
          (error) => (error._tag === "IllegalTransition" ? refuseInactive(preset) : error)
        )
        return { next, ...held, answer: next }
      })
    )
  })

  return {
    /**
     * Moves a label to a version, and creates the label if it does not exist. The version can be
     * given as its number, as another label, or as `designated` or `latest`. If the label already
     * points to the version, nothing changes.
     */
    moveLabel,
    /** Removes a label, and returns the preset without it. */
    removeLabel
  }
})

const makeLabelProtection = Effect.map(PresetStore, (store) => {
  /** Parses the label, if the caller is allowed to change its protection. */
  const decodeProtectable = Effect.fnUntraced(function* ({ by, label: text }: ProtectionRequest) {
    const label = yield* Effect.fromResult(LabelName.decode(text))
    const refusal = checkProtection(by, label)
    return refusal === undefined ? label : yield* refusal
  })

  const protectLabel = trace("Labels.protectLabel")(function* (request: ProtectionRequest) {
    const label = yield* decodeProtectable(request)
    const { by } = request
    const protection = {
      workspaceId: by.workspaceId,
      label,
      by: by.kind === "operator" ? null : by.userId,
      at: yield* DateTime.now
    }
    yield* Effect.mapError(retryUnknownOutcome(store.protect(protection)), (error) =>
      isFull(error) ? new ProtectedLabelsFull({ max: protectedLabelMax }) : error
    )
  })

  const unprotectLabel = trace("Labels.unprotectLabel")(function* (request: ProtectionRequest) {
    const label = yield* decodeProtectable(request)
    yield* retryUnknownOutcome(store.unprotect(request.by.workspaceId, label))
  })

  return {
    /** Returns the protected labels of a workspace, by name. */
    protectedLabels: ({ workspaceId }: Pick<ProtectionCaller, "workspaceId">) =>
      store.protectedLabels(workspaceId),
    /**
     * Protects a label in all presets of a workspace. Only keys with the scope `labels:<name>` can
     * then move or remove it. A label that is already protected stays protected.
     */
    protectLabel,
    /** Unprotects a label. Every key that can designate versions can then move it. */
    unprotectLabel
  }
})

interface Judged {
  readonly principal: Principal
  readonly label: LabelName.LabelName
  readonly condition: PresetCondition | undefined
}

const isFull = (error: PresetStoreError): boolean => error.reason._tag === "Full"
