/**
 * Uses presets in programs: a cache resolves references, and a `fetch` applies presets to requests.
 */

export {
  type Clocks,
  type PinAnswer,
  type PinClock,
  type PinLimits,
  type PinnedVersion,
  type PinQuestion,
  PinRefusal,
  type PinRefusalCode,
  type PinSource,
  platformClock,
  usualLimits
} from "./Pin.ts"
export {
  type Fallback,
  type Meaning,
  makePinReader,
  type PinReader,
  type PinReaderOptions,
  readFallback
} from "./PinReader.ts"
export {
  type AnyFetch,
  makePresetFetch,
  type PresetFetching,
  type Resolved
} from "./PresetFetch.ts"
