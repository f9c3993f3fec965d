/**
 * What a wish makes of the corrections of a transcript: another version, nothing, or a refusal.
 */
import { type DateTime, Option, Result } from "effect"
import type { IllegalTransition } from "../machine/Machine.ts"
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
import { CorrectionsFull } from "./CorrectionRefusal.ts"
import {
  applyChange,
  diffOverlays,
  isEmpty,
  isUndoing,
  keptLengthOf,
  lengthOf,
  type Overlay
} from "./Overlay.ts"

/** Who writes, when, and under which names. */
export interface CorrectionAuthor {
  readonly id: CorrectionId
  readonly at: DateTime.Utc
  readonly userId: UserId
  readonly keyId: ApiKeyId | null
  readonly request: CorrectionRequest | null
}

/** The corrections with one more version. */
export interface CorrectionDecision {
  readonly next: Corrected
  readonly version: WholeVersion
}

/** What is wished: some changes, or everything as a version left it. */
export type CorrectionWish =
  | { readonly _tag: "Change"; readonly change: Overlay }
  | { readonly _tag: "GoBack"; readonly version: number; readonly overlay: Overlay }

/** A wish, and the least that it changes. */
interface Judged {
  readonly change: Overlay
  readonly wish: CorrectionWish
}

const overlayAfter = (before: Overlay, wish: CorrectionWish): Overlay =>
  wish._tag === "Change" ? applyChange(before, wish.change) : wish.overlay

/**
 * Whether a wish only puts back what was recognised, wholly or in part, which needs no room. That
 * comes to an end by itself: each time there is less left to put back.
 */
const mayUndo = (state: State, { change, wish }: Judged): boolean => {
  if (wish._tag === "GoBack" && isEmpty(wish.overlay)) return true
  if (!isUndoing(overlayOf(state), change)) return false
  return change.speakers.length === 0 || writtenLengthOf(state) <= unnamedLengthMax(state.outline)
}

/**
 * Whether what was written before leaves room for a wish. Going back may pass the limits once, as
 * long as there was room before it, so that every change can be undone. What was recognised can
 * always be put back, so that no name or text has to stay that must go.
 */
const judgeRoom = (
  state: State,
  { change, keptLength, wish }: Judged & { readonly keptLength: number }
): CorrectionsFull | undefined => {
  if (mayUndo(state, { change, wish })) return undefined
  const isBack = wish._tag === "GoBack"
  const [version, written] = [versionOf(state), writtenLengthOf(state)]
  const writtenMax = writtenLengthMax(state.outline)
  if (isBack ? version > versionMax : version >= versionMax)
    return new CorrectionsFull({ of: "Versions", max: versionMax })
  return (isBack ? written : written + keptLength) > writtenMax
    ? new CorrectionsFull({ of: "Written", max: writtenMax })
    : undefined
}

const judgeLengths = (state: State, { change, wish }: Judged): CorrectionsFull | undefined => {
  const before = overlayOf(state)
  const after = applyChange(before, change)
  const full = judgeRoom(state, { change, keptLength: keptLengthOf(change, after), wish })
  if (full !== undefined) return full
  const [length, max] = [lengthOf(after), textLengthMax(state.outline)]
  // Corrections that shrink may be as long as they were.
  const isLonger = length > max && length > lengthOf(before)
  return isLonger ? new CorrectionsFull({ of: "Text", max }) : undefined
}

/**
 * The next version; none when the wish changes nothing. Going back makes a version too, which
 * equals the earlier one: nothing that was written is lost.
 */
export const decide = (
  state: State,
  { author, wish }: { readonly author: CorrectionAuthor; readonly wish: CorrectionWish }
): Result.Result<Option.Option<CorrectionDecision>, CorrectionsFull | IllegalTransition> => {
  const before = overlayOf(state)
  const change = diffOverlays(before, overlayAfter(before, wish))
  if (isEmpty(change)) return Result.succeed(Option.none())
  const full = judgeLengths(state, { change, wish })
  if (full !== undefined) return Result.fail(full)
  const backTo = wish._tag === "GoBack" ? wish.version : null
  const { at } = author
  const event =
    backTo === null
      ? Event.cases.Changed.make({ at, change })
      : Event.cases.WentBack.make({ at, change, version: backTo })
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
