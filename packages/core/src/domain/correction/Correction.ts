/**
 * The corrections of one transcript. What was recognised is none of its states: it stays beneath.
 *
 * ```mermaid
 * stateDiagram-v2
 *   [*] --> Recognised
 *   Recognised --> Corrected: Changed
 *   Corrected --> Corrected: Changed
 *   Corrected --> Corrected: WentBack
 * ```
 */
import { Schema } from "effect"
import { JobId } from "../attempt/JobId.ts"
import * as Machine from "../machine/Machine.ts"
import { CorrectionNumber } from "./CorrectionVersion.ts"
import { applyChange, keptLengthOf, noCorrections, Overlay } from "./Overlay.ts"
import { TranscriptOutline } from "./TranscriptOutline.ts"

const identity = { id: JobId, outline: TranscriptOutline }

/** How a transcript stands. */
export const State = Schema.TaggedUnion({
  /** Nobody has ever corrected it. */
  Recognised: identity,
  /** It has versions; the last one may have put everything back. */
  Corrected: {
    ...identity,
    version: CorrectionNumber,
    overlay: Overlay,
    /** UTF-16 units of all versions. */
    writtenLength: Schema.Int
  }
})
export type State = typeof State.Type

const instant = Schema.DateTimeUtcFromMillis

/** What can happen to it. */
export const Event = Schema.TaggedUnion({
  Changed: { at: instant, change: Overlay },
  /** It is again as that version left it. */
  WentBack: { at: instant, change: Overlay, version: CorrectionNumber }
})
export type Event = typeof Event.Type

/** Every legal edge. What is not here cannot happen. */
export const edges = {
  Recognised: { Changed: "Corrected" },
  Corrected: { Changed: "Corrected", WentBack: "Corrected" }
} as const satisfies Machine.Edges<State, Event>

const { Corrected } = State.cases

/** Corrections that were made. */
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
    Corrected: { Changed: advance, WentBack: advance }
  }
})

/** The number of the last version; 0 when there is none. */
export const versionOf = (state: State): number => (state._tag === "Corrected" ? state.version : 0)

/** Everything that is corrected now. */
export const overlayOf = (state: State): Overlay =>
  state._tag === "Corrected" ? state.overlay : noCorrections

/** The length of all that was ever written. */
export const writtenLengthOf = (state: State): number =>
  state._tag === "Corrected" ? state.writtenLength : 0
