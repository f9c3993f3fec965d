/** Why a transcript is not corrected. The message is the sentence for the caller. */
import { Schema } from "effect"

const sentences = {
  Pending: "The transcription has no transcript yet",
  Failed: "The transcription failed: it has no transcript to correct",
  Removed: "The results are no longer stored"
} as const

/** There is no transcript: not yet, never, or no longer. */
export class NothingToCorrect extends Schema.TaggedError<NothingToCorrect>()("NothingToCorrect", {
  reason: Schema.Literals(["Pending", "Failed", "Removed"])
}) {
  override get message(): string {
    return sentences[this.reason]
  }
}

/** There is no such version of the corrections. */
export class CorrectionsNotFound extends Schema.TaggedError<CorrectionsNotFound>()(
  "CorrectionsNotFound",
  { version: Schema.String }
) {
  override get message(): string {
    return `The corrections have no version ${this.version}`
  }
}

/** The corrections are at another version than the caller requires. */
export class CorrectionsMoved extends Schema.TaggedError<CorrectionsMoved>()("CorrectionsMoved", {
  version: Schema.Int
}) {
  override get message(): string {
    return `If-Match does not hold: the corrections are at version ${this.version}`
  }
}

const fullSentences = {
  Versions: "The corrections have as many versions as they may",
  Text: "The corrections would be longer than they may",
  Written: "The versions of the corrections would be longer together than they may"
} as const

/** More than may be corrected. */
export class CorrectionsFull extends Schema.TaggedError<CorrectionsFull>()("CorrectionsFull", {
  of: Schema.Literals(["Versions", "Text", "Written"]),
  max: Schema.Int
}) {
  override get message(): string {
    const unit = this.of === "Versions" ? "" : " characters"
    return `${fullSentences[this.of]}: ${this.max}${unit}`
  }
}
