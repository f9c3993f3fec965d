/**
 * Presets in programs: what a reference means, asked seldom and never believed too long, and a
 * `fetch` that lays requests over it.
 */
export { type Fallback, readFallback } from "./Fallback.ts"
export { type Clocks, type PinClock, platformClock } from "./Moment.ts"
export {
  type PinAnswer,
  type PinLimits,
  type PinnedVersion,
  type PinQuestion,
  PinRefusal,
  type PinRefusalCode,
  type PinSource,
  usualLimits
} from "./Pin.ts"
export {
  type Meaning,
  makePinReader,
  type PinReader,
  type PinReaderOptions
} from "./PinReader.ts"
export {
  type AnyFetch,
  makePresetFetch,
  type PresetFetching,
  type Resolved
} from "./PresetFetch.ts"
