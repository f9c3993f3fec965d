/** A scripted engine that recognises recordings in pieces. */
import { FakeEngines } from "@verbatim/testkit/fakes"
import { Effect } from "effect"
import { sampleRate } from "#src/domain/transcription/DecodedAudio"
import { placePiece } from "#src/domain/transcription/Piece"
import type { PiecePlan, Recognised, SampleRange } from "#src/ports/Transcriber"

const seconds = (from: number, to: number): SampleRange => ({
  from: from * sampleRate,
  to: to * sampleRate
})

/** A two-minute recording, in four pieces. */
export const cut = [seconds(0, 30), seconds(30, 60), seconds(60, 90), seconds(90, 120)]

/**
 * Makes the engine recognise each 30 s piece in one second, and then run a hook. Returns a growing
 * list with the indexes of the recognised pieces.
 */
export const recogniseInPieces = Effect.fnUntraced(function* (
  before: (index: number, times: number) => Effect.Effect<unknown> = () => Effect.void,
  plan: Pick<PiecePlan, "isInContext"> = {}
) {
  const engines = yield* FakeEngines
  const recognised: Array<number> = []
  const recognise = Effect.gen(function* () {
    const recognition = (yield* engines.recognitions).at(-1)
    const recognisePieces = recognition?.recognisePieces
    if (recognisePieces === undefined) return yield* Effect.die("there are no pieces")
    const results = yield* recognisePieces({
      ...plan,
      cut,
      settings: JSON.stringify([recognition?.language]),
      recognise: ({ from }) =>
        Effect.gen(function* () {
          const index = from / sampleRate / 30
          const times = recognised.filter((each) => each === index).length
          recognised.push(index)
          yield* Effect.sleep("1 seconds")
          yield* before(index, times)
          return { segments: [{ startMillis: 0, endMillis: 900, text: `piece ${index}` }] }
        })
    })
    const segments = results.flatMap((result, index) =>
      placePiece({ startMillis: index * 30_000, endMillis: (index + 1) * 30_000, result })
    )
    return {
      engine: "fake",
      language: "en",
      segments: segments.map((segment) => ({ ...segment, speaker: "speaker_0" }))
    } satisfies Recognised
  })
  yield* engines.script({ transcribe: recognise })
  return recognised
})
