/**
 * The transcription of a recording: the state machine, the request, the media, and the transcript.
 */

export { callbackIdBytesMax, isSendable } from "./CallbackId.ts"
export * from "./DecodedAudio.ts"
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
export { problemsOf, Templates } from "./Templates.ts"
export * from "./Transcript.ts"
export * from "./Transcription.ts"
export * from "./TranscriptionRefusal.ts"
export {
  decodeRequest,
  type IncomingPart,
  type IncomingRequest,
  Modifier,
  type Parameters,
  promptLengthMax,
  speakerMax,
  Tracks,
  TranscriptionRequest
} from "./TranscriptionRequest.ts"
export * from "./Voiceprints.ts"
export * from "./Warning.ts"
