import { JobStore } from "@verbatim/core/ports"
import type { TranscriptPart } from "@verbatim/core/transcription"
import { Effect, Option } from "effect"
import { plantFaults, type Replacement } from "./Fault.ts"

/** The memory adapter with parts other than it made. */
const changing =
  (change: (part: TranscriptPart) => TranscriptPart): Replacement<JobStore["Service"]> =>
  ({ transcriptPart }) => ({
    transcriptPart: (id, before) => Effect.map(transcriptPart(id, before), Option.map(change))
  })

const inParts = "answers a long transcript in parts, each of them short"

/** What may be wrong with the parts of a transcript. */
export const transcriptPartFaults = plantFaults(JobStore, {
  [inParts]: {
    "answers the whole transcript as its only part": ({ transcript }) => ({
      transcriptPart: (id) =>
        Effect.map(
          transcript(id),
          Option.map((whole) => ({ ...whole, next: Option.none() }))
        )
    }),
    "loses the segment that a part ends in": changing((part) =>
      Option.isSome(part.next) ? { ...part, segments: part.segments.slice(0, -1) } : part
    ),
    "takes the first part for the last one": changing((part) => ({ ...part, next: Option.none() }))
  },
  "has no further part of a transcript that was deleted meanwhile": {
    "answers parts of a transcript that is deleted": ({ transcriptPart }) => ({
      transcriptPart: (id, before) =>
        Effect.map(transcriptPart(id, before), (part) =>
          Option.orElse(part, () => Option.map(before, (mark) => ({ ...mark, segments: [] })))
        )
    })
  },
  "answers every text in parts as it is, however long one is": {
    "cuts long texts short": changing((part) => ({
      ...part,
      segments: part.segments.map((each) => ({ ...each, text: each.text.slice(0, 50_000) }))
    }))
  },
  "answers a short transcript in one part, and none where there is no transcript": {
    "says of silence that there is no transcript": ({ transcriptPart }) => ({
      transcriptPart: (id, before) =>
        Effect.map(
          transcriptPart(id, before),
          Option.filter(({ segments }) => segments.length > 0)
        )
    })
  }
})
