/** Calls with a file, which may be repeats of one another. */
import { Effect, Stream } from "effect"
import type { ArrivingPart } from "#src/domain/transcription/Arrival"
import type { Principal } from "#src/domain/workspace/Principal"
import { Submissions } from "#src/services/Submissions"

const fileOf = (content: Stream.Stream<Uint8Array>): ArrivingPart<never> => ({
  _tag: "File",
  name: "file",
  filename: "a.mp3",
  content
})

/** A file of three bytes. */
export const short = (byte: number) => Stream.succeed(Uint8Array.of(byte, 2, 3))

/** A call that joins the job of the same one before. */
export const call = (
  principal: Principal,
  content: Stream.Stream<Uint8Array>,
  more: { readonly language?: string; readonly idempotencyKey?: string } = {}
) =>
  Effect.flatMap(Submissions, (submissions) => {
    const { language, ...arrival } = more
    const told: ReadonlyArray<ArrivingPart<never>> =
      language === undefined ? [] : [{ _tag: "Parameter", name: "language", value: language }]
    return submissions.submit(principal, {
      isTextual: false,
      isJoining: true,
      parts: Stream.fromIterable([...told, fileOf(content)]),
      ...arrival
    })
  })
