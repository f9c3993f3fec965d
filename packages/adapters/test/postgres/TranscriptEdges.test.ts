/** Transcripts whose stored text ends at, or just beside, the end of a piece. */
import { assert, describe, it } from "@effect/vitest"
import { JobStore } from "@verbatim/core/ports"
import { jobId, withWorkspace } from "@verbatim/testkit/samples"
import { Effect, Option } from "effect"
import { onServer } from "./TemporarySchema.ts"
import { insertTranscribed } from "./TranscribedJob.ts"

/** Of letters of one byte, and with a character of two units at the end of the first piece. */
const texts = (length: number) => [
  "a".repeat(length),
  `${"a".repeat(length)}🎙️${"b".repeat(70_000)}`
]

const transcript = (text: string) => ({
  durationMillis: 60_000,
  language: "en" as const,
  segments: [{ startMillis: 0, endMillis: 1, speaker: "speaker_0", text }]
})

/** What surrounds the text of the only segment where it is stored. */
const around = JSON.stringify(transcript("")).length

describe("A transcript on Postgres", () => {
  it.live("is whole, wherever its pieces end", () =>
    withWorkspace(function* () {
      const store = yield* JobStore
      const lengths = [32, 64].flatMap((kib) =>
        [-3, -2, -1, 0, 1, 2, 3].map((beside) => kib * 1024 - around + beside)
      )
      for (const [index, text] of lengths.flatMap(texts).entries()) {
        const id = index + 1
        yield* insertTranscribed(id, transcript(text))
        const read = yield* store.transcript(jobId(id))
        assert.isTrue(Option.isSome(read) && read.value.segments[0]?.text === text, `${id}`)
      }
    }).pipe(Effect.provide(onServer))
  )
})
