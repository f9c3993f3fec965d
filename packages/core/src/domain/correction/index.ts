/** Corrections of a transcript, stored as a versioned overlay on the recognised text. */
export * from "./CorrectedTranscript.ts"
export * from "./Correction.ts"
export * from "./CorrectionDecision.ts"
export * from "./CorrectionInput.ts"
export * from "./CorrectionLimits.ts"
export {
  type CorrectionsQuery,
  CorrectionsSummary,
  CorrectionsView,
  segmentPageMax,
  versionPageDefault,
  versionPageMax,
  WholeVersionView
} from "./CorrectionView.ts"
export * from "./Overlay.ts"
export * from "./SegmentChanges.ts"
