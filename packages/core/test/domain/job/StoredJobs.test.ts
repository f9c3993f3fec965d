/** What an older version stored is read by this one. */
import { assert, describe, it } from "@effect/vitest"
import { instant, makeAnnouncedJob, makeNoticedJob, noticeId } from "@verbatim/testkit/samples"
import { Effect, Option, Schema } from "effect"
import { Job, owedWork } from "#src/domain/job/Job"
import { JobEvent } from "#src/domain/job/JobEvent"
import { toView } from "#src/domain/job/JobView"

const StoredJob = Schema.toCodecJson(Job)
const StoredEvent = Schema.toCodecJson(JobEvent)

const at = instant.epochMilliseconds
const id = noticeId(7)

/** Events of format 4, in which no notice says for which hook it is. */
const events: ReadonlyArray<Record<string, unknown>> = [
  { _tag: "Notice", event: { _tag: "AttemptStarted", at } },
  { _tag: "Notice", event: { _tag: "ListenerReturned", at } },
  { _tag: "Renotify", event: { _tag: "NoticeRequested", at, id } }
]

describe("A job of an older version", () => {
  it.effect("with a notice is one that tells of the end", () =>
    Effect.gen(function* () {
      const job = makeNoticedJob(1)
      const notice = { _tag: "Waiting", id, attempts: 1, dueAt: at }
      const stored = Object.assign({}, yield* Schema.encodeEffect(StoredJob)(job), { notice })
      const read = yield* Schema.decodeUnknownEffect(StoredJob)(stored)
      assert.deepStrictEqual(read.notice, { _tag: "Waiting", id, attempts: 1, dueAt: instant })
      assert.isUndefined(read.transcriptNotice)
      assert.deepStrictEqual(yield* Schema.encodeEffect(StoredJob)(read), stored)
      const view = toView(read, { balanceMillis: 0, transcript: Option.none() })
      assert.strictEqual(view.notice_status, "PENDING")
      assert.notProperty(view, "transcript_notice_status")
      assert.isTrue(Option.exists(owedWork(read), ({ kind }) => kind === "Transcribe"))
    })
  )

  it.effect("has a history in which every notice is for `finished`", () =>
    Effect.gen(function* () {
      const read = yield* Effect.forEach(events, (event) =>
        Schema.decodeUnknownEffect(StoredEvent)(event)
      )
      assert.deepStrictEqual(
        read.map((event) => ("hook" in event ? event.hook : "none")),
        ["finished", "finished", "finished"]
      )
    })
  )

  it.effect("keeps its words for what it has: this version adds none to a notice of the end", () =>
    Effect.gen(function* () {
      const { transcriptNotice: _, ...told } = makeAnnouncedJob(1)
      const stored = yield* Schema.encodeEffect(StoredJob)(told)
      assert.notProperty(stored, "transcriptNotice")
      assert.property(stored, "notice")
    })
  )
})
