/**
 * Corrections of a transcript: an overlay with versions, over what was recognised.
 */
export * from "./CorrectedTranscript.ts"
export * from "./Correction.ts"
export * from "./CorrectionDecision.ts"
export {
  addToOutline,
  changeMax,
  nameLengthMax,
  noOutline,
  segmentLengthMax,
  TranscriptOutline,
  textLengthMax,
  versionMax,
  writtenLengthMax
} from "./CorrectionLimits.ts"
export * from "./CorrectionRefusal.ts"
export {
  CorrectionStanding,
  CorrectionsView,
  segmentPageMax,
  versionPageDefault,
  versionPageMax,
  type WantedCorrections,
  WholeVersionView
} from "./CorrectionView.ts"
export * from "./CorrectionWishes.ts"
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
