/** The reasons for refusing a correction. Each message is the sentence that the caller sees. */

import { Schema } from "effect"
import { refusal } from "../schema/Refusal.ts"

const sentences = {
  Pending: "The transcription has no transcript yet",
  Failed: "The transcription failed: it has no transcript to correct",
  Removed: "The results are no longer stored"
} as const

/** The transcript does not exist yet, will never exist, or was deleted. */
export class NothingToCorrect extends refusal<NothingToCorrect>()("NothingToCorrect", {
  fields: {
    reason: Schema.Literals(["Pending", "Failed", "Removed"])
  },
  sentence: ({ reason }) => sentences[reason]
}) {}

/** The corrections have no such version. */
export class CorrectionsNotFound extends refusal<CorrectionsNotFound>()("CorrectionsNotFound", {
  fields: { version: Schema.String },
  sentence: ({ version }) => `The corrections have no version ${version}`
}) {}

/** The current version of the corrections is not the version that the caller requires. */
export class CorrectionsMoved extends refusal<CorrectionsMoved>()("CorrectionsMoved", {
  fields: {
    version: Schema.Int
  },
  sentence: ({ version }) => `If-Match does not hold: the corrections are at version ${version}`
}) {}

const fullSentences = {
  Versions: "The corrections have the maximum number of versions",
  Text: "The corrections would exceed their maximum length",
  Written: "The versions of the corrections would together exceed their maximum length"
} as const

/** The corrections exceed a limit. */
export class CorrectionsFull extends refusal<CorrectionsFull>()("CorrectionsFull", {
  fields: {
    of: Schema.Literals(["Versions", "Text", "Written"]),
    max: Schema.Int
  },
  sentence: ({ max, of }) => {
    const unit = of === "Versions" ? "" : " characters"
    return `${fullSentences[of]}: ${max}${unit}`
  }
}) {}
