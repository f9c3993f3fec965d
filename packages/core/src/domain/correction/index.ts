/**
 * Corrections of a transcript: an overlay with versions, over what was recognised.
 */
export { type Corrector, makeCorrector } from "./CorrectedTranscript.ts"
export {
  type Corrected,
  Event,
  edges,
  isTerminal,
  overlayOf,
  State,
  transition,
  versionOf,
  writtenLengthOf
} from "./Correction.ts"
export {
  type CorrectionAuthor,
  type CorrectionDecision,
  type CorrectionWish,
  decide
} from "./CorrectionDecision.ts"
export {
  changeMax,
  nameLengthMax,
  segmentLengthMax,
  textLengthMax,
  versionMax,
  writtenLengthMax
} from "./CorrectionLimits.ts"
export {
  versionPageDefault,
  versionPageMax,
  type WantedCorrections
} from "./CorrectionPages.ts"
export {
  CorrectionsFull,
  CorrectionsMoved,
  CorrectionsNotFound,
  NothingToCorrect
} from "./CorrectionRefusal.ts"
export {
  CorrectionId,
  CorrectionNumber,
  CorrectionRequest,
  CorrectionVersion,
  WholeVersion
} from "./CorrectionVersion.ts"
export {
  CorrectionStanding,
  CorrectionsView,
  segmentPageMax,
  WholeVersionView
} from "./CorrectionView.ts"
export {
  parseNames,
  parseSegments,
  parseTarget,
  parseVersion,
  type SegmentWish,
  type SpeakerWish,
  toNaming,
  toReadings
} from "./CorrectionWishes.ts"
export {
  applyChange,
  diffOverlays,
  isEmpty,
  lengthOf,
  noCorrections,
  Overlay,
  type OverlayChange,
  SegmentIndex,
  SegmentReading,
  SpeakerNaming
} from "./Overlay.ts"
export { addToOutline, noOutline, TranscriptOutline } from "./TranscriptOutline.ts"
