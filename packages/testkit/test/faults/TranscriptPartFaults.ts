import { JobStore, type Stores } from "@verbatim/core/ports"
import type { TranscriptPart } from "@verbatim/core/transcription"
import { Effect, Option } from "effect"
import { type Fault, replacing } from "./Fault.ts"

/** The memory adapter with parts other than it made. */
const changing = (change: (part: TranscriptPart) => TranscriptPart) =>
  replacing(JobStore, ({ transcriptPart }) => ({
    transcriptPart: (id, before) => Effect.map(transcriptPart(id, before), Option.map(change))
  }))

const inParts = "answers a long transcript in parts, each of them short"

/** What may be wrong with the parts of a transcript. */
export const transcriptPartFaults: ReadonlyArray<Fault<Stores>> = [
  {
    fault: "answers the whole transcript as its only part",
    foundBy: inParts,
    layer: replacing(JobStore, ({ transcript }) => ({
      transcriptPart: (id) =>
        Effect.map(
          transcript(id),
          Option.map((whole) => ({ ...whole, next: Option.none() }))
        )
    }))
  },
  {
    fault: "loses the segment that a part ends in",
    foundBy: inParts,
    layer: changing((part) =>
      Option.isSome(part.next) ? { ...part, segments: part.segments.slice(0, -1) } : part
    )
  },
  {
    fault: "takes the first part for the last one",
    foundBy: inParts,
    layer: changing((part) => ({ ...part, next: Option.none() }))
  },
  {
    fault: "answers parts of a transcript that is deleted",
    foundBy: "has no further part of a transcript that was deleted meanwhile",
    layer: replacing(JobStore, ({ transcriptPart }) => ({
      transcriptPart: (id, before) =>
        Effect.map(transcriptPart(id, before), (part) =>
          Option.orElse(part, () => Option.map(before, (mark) => ({ ...mark, segments: [] })))
        )
    }))
  },
  {
    fault: "cuts long texts short",
    foundBy: "answers every text in parts as it is, however long one is",
    layer: changing((part) => ({
      ...part,
      segments: part.segments.map((each) => ({ ...each, text: each.text.slice(0, 50_000) }))
    }))
  },
  {
    fault: "says of silence that there is no transcript",
    foundBy: "answers a short transcript in one part, and none where there is no transcript",
    layer: replacing(JobStore, ({ transcriptPart }) => ({
      transcriptPart: (id, before) =>
        Effect.map(
          transcriptPart(id, before),
          Option.filter(({ segments }) => segments.length > 0)
        )
    }))
  }
]
