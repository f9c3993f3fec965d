/**
 * Presets in programs: what a reference means, asked seldom and never believed too long, and a
 * `fetch` that lays requests over it.
 */
export { type Fallback, readFallback } from "./Fallback.ts"
export { type Clocks, type PinClock, platformClock } from "./Moment.ts"
export { type PinLimits, type PinnedVersion, usualLimits } from "./Pin.ts"
export {
  type Meaning,
  makePinReader,
  type PinReader,
  type PinReaderOptions
} from "./PinReader.ts"
export { PinRefusal, type PinRefusalCode } from "./PinRefusal.ts"
export type { PinAnswer, PinQuestion, PinSource } from "./PinSource.ts"
export {
  type AnyFetch,
  makePresetFetch,
  type PresetFetching,
  type Resolved
} from "./PresetFetch.ts"
