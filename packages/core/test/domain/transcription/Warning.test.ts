/** Warnings, from the decoder to every view. */
import { assert, describe, it } from "@effect/vitest"
import { instant, makeUploadJob } from "@verbatim/testkit/samples"
import { Effect, Option, Schema } from "effect"
import { toDetailedView, toListed } from "#src/domain/job/JobDetails"
import { toHistory } from "#src/domain/job/JobHistory"
import { webhookBody } from "#src/domain/job/JobView"
import { Event, transition } from "#src/domain/transcription/Transcription"
import { toWarningView, Warning, WarningView } from "#src/domain/transcription/Warning"

const StoredEvent = Schema.fromJsonString(Schema.toCodecJson(Event))

const isWarningView = Schema.is(WarningView)

/** What is stored of a transcript with these warnings, read again. */
const produced = (warnings: ReadonlyArray<Warning>) =>
  Schema.decodeEffect(StoredEvent)(
    Schema.encodeSync(StoredEvent)(
      Event.cases.TranscriptProduced.make({
        at: instant,
        durationMillis: 1_000,
        language: "en",
        isEmpty: false,
        engine: "sample",
        warnings,
        isMediaKept: false
      })
    )
  )

const running = Effect.fnUntraced(function* () {
  const job = makeUploadJob(1)
  const event = Event.cases.AttemptStarted.make({ at: instant })
  return { job, state: yield* Effect.fromResult(transition(job.transcription, event)) }
})

describe("a warning", () => {
  it.effect.prop(
    "is in the details, the list and the history of its job, and in no webhook",
    [Schema.Array(Warning)],
    ([warnings]) =>
      Effect.gen(function* () {
        const { job, state } = yield* running()
        const event = yield* produced(warnings)
        const transcription = yield* Effect.fromResult(transition(state, event))
        const ended = { ...job, transcription }
        const expected = warnings.map(toWarningView)
        assert.isTrue(expected.every((view) => isWarningView(view)))
        const audience = "inference"
        const shown = { balanceMillis: 0, transcript: Option.none(), audience } as const
        assert.deepStrictEqual(toDetailedView(ended, shown).warnings, expected)
        assert.deepStrictEqual(toListed(ended, 0).warnings, expected)
        const happened = { _tag: "Transcription" as const, event }
        const commit = { revision: 2, at: instant, events: [happened] }
        const history = toHistory(job, { entries: [commit], audience })
        assert.deepStrictEqual(history.events[0]?.warnings, expected)
        const { body } = webhookBody({
          job: ended,
          receiver: { url: "https://example.com/", modifier: null },
          frozen: { balanceMillis: 0 },
          transcript: Option.none()
        })
        assert.notProperty(JSON.parse(body), "warnings")
      })
  )
})
