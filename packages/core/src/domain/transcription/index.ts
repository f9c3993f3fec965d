/**
 * The transcription of a recording: the machine, the request, the media, and the transcript.
 */

export { callbackIdBytesMax, isSendable } from "./CallbackId.ts"
export {
  type Balance,
  balanceFrameMillis,
  type DecodedAudio,
  durationMillis,
  makePeakFold,
  millisAt,
  type PeakFold,
  Peaks,
  PeaksView,
  pairMax,
  sampleRate,
  toPeaksView
} from "./DecodedAudio.ts"
export * from "./IncomingRequest.ts"
export * from "./Language.ts"
export * from "./MediaKey.ts"
export {
  bodyBytesMax,
  contentTypes,
  extensionOf,
  knownExtensions,
  MediaExtension,
  MediaLimits,
  withAcceptedExtension
} from "./MediaType.ts"
export {
  noPieceWork,
  Piece,
  type PieceProgress,
  PieceResult,
  PieceSegment,
  type PieceWork,
  placePiece,
  placeVoiceprints,
  recognisedEvent,
  toPieceWork
} from "./Piece.ts"
export { Modifier } from "./Receiver.ts"
export { problemsOf, Templates } from "./Templates.ts"
export {
  partLengthMax,
  Segment,
  Transcript,
  type TranscriptCursor,
  type TranscriptPart,
  Word
} from "./Transcript.ts"
export * from "./Transcription.ts"
export * from "./TranscriptionRefusal.ts"
export {
  decodeRequest,
  type Parameters,
  promptLengthMax,
  speakerMax,
  Tracks,
  TranscriptionRequest
} from "./TranscriptionRequest.ts"
export { tellSpeakersApart, type VoiceLimits, type Voiceprint } from "./Voiceprints.ts"
export * from "./Warning.ts"
