/** Peaks as the wire shows them. */
import { Schema } from "effect"
import { withDescription } from "../schema/Shape.ts"
import { sampleRate } from "./DecodedAudio.ts"
import { Peak, type Peaks, pairMax } from "./Peaks.ts"

/** The peaks as the wire shows them. */
export const PeaksView = Schema.Struct({
  duration: withDescription(Schema.Finite, "Seconds of the whole recording."),
  interval: withDescription(Schema.Finite, "Seconds to a pair; the last one may have less."),
  peaks: withDescription(
    Schema.Array(Peak).check(Schema.isMaxLength(2 * pairMax)),
    "The least and the greatest sample of each interval in turn, from -128 to 127."
  )
})
export type PeaksView = typeof PeaksView.Type

/** Shows peaks in seconds. */
export const toPeaksView = ({ interval, sampleCount, values }: Peaks): PeaksView => ({
  duration: sampleCount / sampleRate,
  interval: interval / sampleRate,
  peaks: values
})
