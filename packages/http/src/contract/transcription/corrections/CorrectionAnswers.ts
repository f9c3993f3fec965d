/**
 * What the operations on corrections take and answer, as named schemas.
 */
import {
  CorrectionStanding,
  CorrectionsView,
  changeMax,
  nameLengthMax,
  segmentLengthMax,
  WholeVersionView
} from "@verbatim/core/correction"
import { Schema } from "effect"
import * as examples from "./CorrectionExamples.ts"

/** The header of every answer that tells where corrections stand. */
const tag = {
  ETag: {
    description: "The number of the last version, in double quotes, for `If-Match`.",
    required: true,
    schema: { type: "string", pattern: '^"[0-9]+"$' }
  }
}

/** Where corrections stand. */
export const Standing = CorrectionStanding.annotate({
  identifier: "CorrectionStanding",
  description: "Where the corrections stand.",
  examples: [examples.standing],
  "x-headers": tag
})

/** Where corrections stand, with their versions. */
export const Corrections = CorrectionsView.annotate({
  identifier: "Corrections",
  description: "Where the corrections stand, and the versions that led there.",
  examples: [examples.corrections],
  "x-headers": tag
})

/** One version. */
export const WholeVersion = WholeVersionView.annotate({
  identifier: "CorrectionVersion",
  description: "A version of the corrections, with everything that it changed.",
  examples: [examples.version]
})

const SpeakerName = Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(nameLengthMax))

/** Names of speakers. */
export const SpeakerNames = Schema.Record(Schema.String, Schema.NullOr(SpeakerName)).annotate({
  identifier: "SpeakerNames",
  description: "A name for each speaker, by the speaker as recognised. Null takes a name away.",
  examples: [examples.names]
})

/** Corrections of segments. */
export const SegmentCorrections = Schema.Array(
  Schema.Struct({
    index: Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)).annotate({
      description: "Where the segment stands in the `output` of the job, counted from 0."
    }),
    text: Schema.optionalKey(
      Schema.NullOr(Schema.String.check(Schema.isMaxLength(segmentLengthMax))).annotate({
        description: "What was said; empty for nothing. Null puts back what was recognised."
      })
    ),
    speaker: Schema.optionalKey(
      Schema.NullOr(SpeakerName).annotate({
        description: "A speaker as recognised, or a name. Null puts back what was recognised."
      })
    )
  })
)
  .check(Schema.isMaxLength(changeMax))
  .annotate({
    identifier: "SegmentCorrections",
    description: "What changes of some segments. What is left out stays as it is corrected.",
    examples: [examples.segments]
  })

/** The version to go back to. */
export const CorrectionTarget = Schema.Struct({
  version: Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)).annotate({
    description: "The number of an earlier version; 0 for what was recognised."
  })
}).annotate({
  identifier: "CorrectionTarget",
  description: "The version to go back to.",
  examples: [examples.target]
})
