/** Decides whether a requested correction adds a version, changes nothing, or is refused. */
import { type DateTime, Option, Result, Schema } from "effect"
import type { IllegalTransition } from "../machine/Machine.ts"
import { refusal } from "../schema/Refusal.ts"
import type { ApiKeyId } from "../workspace/ApiKey.ts"
import type { UserId } from "../workspace/Workspace.ts"
import {
  type Corrected,
  type CorrectionId,
  type CorrectionRequest,
  Event,
  overlayOf,
  type State,
  transition,
  versionOf,
  type WholeVersion,
  writtenLengthOf
} from "./Correction.ts"
import {
  textLengthMax,
  unnamedLengthMax,
  versionMax,
  writtenLengthMax
} from "./CorrectionLimits.ts"
import {
  applyChange,
  diffOverlays,
  isEmpty,
  isUndoing,
  keptLengthOf,
  lengthOf,
  type Overlay
} from "./Overlay.ts"

/** A correction's author, time and ids. */
export interface CorrectionAuthor {
  readonly id: CorrectionId
  readonly at: DateTime.Utc
  readonly userId: UserId
  readonly keyId: ApiKeyId | null
  readonly request: CorrectionRequest | null
}

/** The corrections after a change, and the version that the change added. */
export interface CorrectionDecision {
  readonly next: Corrected
  readonly version: WholeVersion
}

/** A request to change the corrections, or to restore an earlier version. */
export type RequestedCorrection =
  | { readonly _tag: "Change"; readonly change: Overlay }
  | { readonly _tag: "GoBack"; readonly version: number; readonly overlay: Overlay }

/** A requested correction, with the smallest change that has the same effect. */
interface Judged {
  readonly change: Overlay
  readonly requested: RequestedCorrection
}

const overlayAfter = (before: Overlay, requested: RequestedCorrection): Overlay =>
  requested._tag === "Change" ? applyChange(before, requested.change) : requested.overlay

/**
 * Whether a request only undoes corrections, completely or in part. Such a request is accepted even
 * if the limits are reached. Only a limited number of them can follow each other, because each one
 * leaves fewer corrections to undo.
 */
const canUndo = (state: State, { change, requested }: Judged): boolean => {
  if (requested._tag === "GoBack" && isEmpty(requested.overlay)) return true
  if (!isUndoing(overlayOf(state), change)) return false
  return change.speakers.length === 0 || writtenLengthOf(state) <= unnamedLengthMax(state.outline)
}

/**
 * Checks whether a request fits the limits, given the existing versions. Restoring a version may
 * exceed a limit once, so that every change can be undone. Undoing corrections is always allowed,
 * so that a name or text can always be removed.
 */
const checkSpace = (
  state: State,
  { change, keptLength, requested }: Judged & { readonly keptLength: number }
): CorrectionsFull | undefined => {
  if (canUndo(state, { change, requested })) return undefined
  const isBack = requested._tag === "GoBack"
  const [version, written] = [versionOf(state), writtenLengthOf(state)]
  const writtenMax = writtenLengthMax(state.outline)
  if (isBack ? version > versionMax : version >= versionMax)
    return new CorrectionsFull({ of: "Versions", max: versionMax })
  return (isBack ? written : written + keptLength) > writtenMax
    ? new CorrectionsFull({ of: "Written", max: writtenMax })
    : undefined
}

const checkLengths = (state: State, { change, requested }: Judged): CorrectionsFull | undefined => {
  const before = overlayOf(state)
  const after = applyChange(before, change)
  const full = checkSpace(state, { change, keptLength: keptLengthOf(change, after), requested })
  if (full !== undefined) return full
  const [length, max] = [lengthOf(after), textLengthMax(state.outline)]
  // A change that shortens the corrections is accepted even if they still exceed the limit.
  const isLonger = length > max && length > lengthOf(before)
  return isLonger ? new CorrectionsFull({ of: "Text", max }) : undefined
}

/**
 * Returns the next version; none if the request changes nothing. Restoring a version adds a copy of
 * that version, so no version is ever lost.
 */
export const decide = (
  state: State,
  {
    author,
    requested
  }: { readonly author: CorrectionAuthor; readonly requested: RequestedCorrection }
): Result.Result<Option.Option<CorrectionDecision>, CorrectionsFull | IllegalTransition> => {
  const before = overlayOf(state)
  const change = diffOverlays(before, overlayAfter(before, requested))
  if (isEmpty(change)) return Result.succeed(Option.none())
  const full = checkLengths(state, { change, requested })
  if (full !== undefined) return Result.fail(full)
  const backTo = requested._tag === "GoBack" ? requested.version : null
  const { at } = author
  const event =
    backTo === null
      ? Event.cases.Changed.make({ at, change })
      : Event.cases.Restored.make({ at, change, version: backTo })
  return Result.map(transition(state, event), (next) =>
    next._tag === "Corrected"
      ? Option.some({ next, version: versionAfter(next, { author, backTo, change }) })
      : Option.none()
  )
}

const versionAfter = (
  next: State,
  {
    author,
    backTo,
    change
  }: Pick<WholeVersion, "backTo"> & { readonly author: CorrectionAuthor; readonly change: Overlay }
): WholeVersion => ({
  ...author,
  jobId: next.id,
  version: versionOf(next),
  backTo,
  speakers: change.speakers,
  segmentCount: change.segments.length,
  segments: change.segments
})

// Each refusal's message is the sentence that the caller sees.

const sentences = {
  Pending: "The transcription has no transcript yet",
  Failed: "The transcription failed: it has no transcript to correct",
  Removed: "The results are no longer stored"
} as const

/** The job has no transcript to correct: there is none yet, it was deleted, or the job failed. */
export class NothingToCorrect extends refusal<NothingToCorrect>()("NothingToCorrect", {
  fields: {
    reason: Schema.Literals(["Pending", "Failed", "Removed"])
  },
  sentence: ({ reason }) => sentences[reason]
}) {}

/** The corrections have no such version. */
export class CorrectionsNotFound extends refusal<CorrectionsNotFound>()("CorrectionsNotFound", {
  fields: { version: Schema.String },
  sentence: ({ version }) => `The corrections have no version ${version}`
}) {}

/** The caller's `If-Match` does not name the current version. */
export class CorrectionsMoved extends refusal<CorrectionsMoved>()("CorrectionsMoved", {
  fields: {
    version: Schema.Int
  },
  sentence: ({ version }) => `If-Match does not hold: the corrections are at version ${version}`
}) {}

const fullSentences = {
  Versions: "The corrections have the maximum number of versions",
  Text: "The corrections would exceed their maximum length",
  Written: "The versions of the corrections would together exceed their maximum length"
} as const

/** The corrections exceed a limit. */
export class CorrectionsFull extends refusal<CorrectionsFull>()("CorrectionsFull", {
  fields: {
    of: Schema.Literals(["Versions", "Text", "Written"]),
    max: Schema.Int
  },
  sentence: ({ max, of }) => {
    const unit = of === "Versions" ? "" : " characters"
    return `${fullSentences[of]}: ${max}${unit}`
  }
}) {}
