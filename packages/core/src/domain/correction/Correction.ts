/**
 * The corrections of one transcript. The recognised transcript is not part of this state, and never
 * changes.
 *
 * ```mermaid
 * stateDiagram-v2
 *   [*] --> Recognised
 *   Recognised --> Corrected: Changed
 *   Corrected --> Corrected: Changed
 *   Corrected --> Corrected: Restored
 * ```
 */
import { Schema } from "effect"
import { JobId } from "../attempt/Attempt.ts"
import { IdempotencyKey } from "../idempotency/IdempotencyKey.ts"
import * as Machine from "../machine/Machine.ts"
import { ApiKeyId } from "../workspace/ApiKey.ts"
import { UserId } from "../workspace/Workspace.ts"
import { TranscriptOutline } from "./CorrectionLimits.ts"
import {
  applyChange,
  keptLengthOf,
  noCorrections,
  Overlay,
  SegmentReading,
  SpeakerNaming
} from "./Overlay.ts"

// One version of the corrections: its author, time and changes. Versions are numbered from 1
// without gaps, and never change.

/** The id of a version, chosen by its writer, so that a retried write adds only one version. */
export const CorrectionId = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("CorrectionId"))
export type CorrectionId = typeof CorrectionId.Type

/** The number of a corrections version, or 0 if nothing was ever corrected. */
export const CorrectionNumber = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

/** The request that created a version, stored to recognise a retry. */
export const CorrectionRequest = Schema.Struct({ key: IdempotencyKey, fingerprint: Schema.String })
export type CorrectionRequest = typeof CorrectionRequest.Type

/** A version of the corrections, without the segments that it changed. */
export const CorrectionVersion = Schema.Struct({
  id: CorrectionId,
  jobId: JobId,
  version: CorrectionNumber.check(Schema.isGreaterThanOrEqualTo(1)),
  at: Schema.DateTimeUtcFromMillis,
  userId: UserId,
  /** The key of the version's author; null if the author is the host, which has no key. */
  keyId: Schema.NullOr(ApiKeyId),
  /** The number of the restored version; null if none was restored. */
  backTo: Schema.NullOr(CorrectionNumber),
  /** The speakers whose names this version set or removed. */
  speakers: Schema.Array(SpeakerNaming),
  /** Number of segments that this version changed. */
  segmentCount: CorrectionNumber,
  request: Schema.NullOr(CorrectionRequest)
})
export type CorrectionVersion = typeof CorrectionVersion.Type

/** A version of the corrections, with all its changes. */
export const WholeVersion = Schema.Struct({
  ...CorrectionVersion.fields,
  segments: Schema.Array(SegmentReading)
})
export type WholeVersion = typeof WholeVersion.Type

const identity = { id: JobId, outline: TranscriptOutline }

/** Whether a transcript has corrections. */
export const State = Schema.TaggedUnion({
  /** The transcript has never been corrected. */
  Recognised: identity,
  /**
   * The transcript has at least one version of corrections; the latest may have undone all of them.
   */
  Corrected: {
    ...identity,
    version: CorrectionNumber,
    overlay: Overlay,
    /** Total length of all versions, in UTF-16 units. */
    writtenLength: Schema.Int
  }
})
export type State = typeof State.Type

const instant = Schema.DateTimeUtcFromMillis

/** The events that change a transcript's corrections. */
export const Event = Schema.TaggedUnion({
  Changed: { at: instant, change: Overlay },
  /** An earlier version was restored. */
  Restored: { at: instant, change: Overlay, version: CorrectionNumber }
})
export type Event = typeof Event.Type

/** All legal edges; any other event is refused. */
export const edges = {
  Recognised: { Changed: "Corrected" },
  Corrected: { Changed: "Corrected", Restored: "Corrected" }
} as const satisfies Machine.Edges<State, Event>

const { Corrected } = State.cases

/** The state of a transcript with at least one version of corrections. */
export type Corrected = Extract<State, { readonly _tag: "Corrected" }>

const advance = (state: State, { change }: Event): Corrected => {
  const overlay = applyChange(overlayOf(state), change)
  return Corrected.make({
    id: state.id,
    outline: state.outline,
    version: versionOf(state) + 1,
    overlay,
    writtenLength: writtenLengthOf(state) + keptLengthOf(change, overlay)
  })
}

export const { isTerminal, transition } = Machine.make<State, Event, typeof edges>({
  name: "Correction",
  edges,
  moves: {
    Recognised: { Changed: advance },
    Corrected: { Changed: advance, Restored: advance }
  }
})

/** Returns the number of the latest corrections version, or 0 if there is none. */
export const versionOf = (state: State): number => (state._tag === "Corrected" ? state.version : 0)

/** Returns the current corrections. */
export const overlayOf = (state: State): Overlay =>
  state._tag === "Corrected" ? state.overlay : noCorrections

/** Returns the total length of all versions of the corrections. */
export const writtenLengthOf = (state: State): number =>
  state._tag === "Corrected" ? state.writtenLength : 0
