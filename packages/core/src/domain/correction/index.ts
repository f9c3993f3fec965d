/**
 * Corrections of a transcript: an overlay with versions, over the recognised transcript.
 */
export * from "./CorrectedTranscript.ts"
export * from "./Correction.ts"
export * from "./CorrectionDecision.ts"
export * from "./CorrectionInput.ts"
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
  type CorrectionsQuery,
  CorrectionsSummary,
  CorrectionsView,
  segmentPageMax,
  versionPageDefault,
  versionPageMax,
  WholeVersionView
} from "./CorrectionView.ts"
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
