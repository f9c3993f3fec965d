/**
 * A recording on its way to text: the machine, the request, the media, and the transcript.
 */
export type { Arrival, ArrivingPart } from "./Arrival.ts"
export { callbackIdBytesMax, isSendable } from "./CallbackId.ts"
export {
  type Balance,
  balanceFrameMillis,
  type DecodedAudio,
  durationMillis,
  sampleRate
} from "./DecodedAudio.ts"
export { promptLengthMax, speakerMax, Tracks } from "./Hints.ts"
export { isLanguage, isSpaced, Language, languages } from "./Language.ts"
export { languageCode, languageName, undetermined } from "./LanguageCode.ts"
export type { LocalMedia } from "./LocalMedia.ts"
export { jobIdOf, MediaKey, makeMediaKey, parseMediaKey } from "./MediaKey.ts"
export { bodyBytesMax, MediaLimits } from "./MediaLimits.ts"
export {
  contentTypes,
  extensionOf,
  knownExtensions,
  MediaExtension,
  withAcceptedExtension
} from "./MediaType.ts"
export { Modifier } from "./Modifier.ts"
export { makePeakFold, type PeakFold, Peaks, pairMax } from "./Peaks.ts"
export { PeaksView, toPeaksView } from "./PeaksView.ts"
export { problemsOf, Templates } from "./Templates.ts"
export { Segment, Transcript, Word } from "./Transcript.ts"
export { Event, edges, isTerminal, State, StoredMedia, transition } from "./Transcription.ts"
export * from "./TranscriptionRefusal.ts"
export {
  decodeRequest,
  type Parameters,
  TranscriptionRequest
} from "./TranscriptionRequest.ts"
export {
  partLengthMax,
  type TranscriptMark,
  type TranscriptPart,
  type TranscriptPlace
} from "./TranscriptPart.ts"
export { toWarningView, Warning, WarningView } from "./Warning.ts"
