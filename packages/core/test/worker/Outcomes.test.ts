/** Tests how jobs end if there is silence, an unsupported language or a failure. */
import { assert, describe, it } from "@effect/vitest"
import { calmScript, FakeEngines, FakeMedia, type RemoteFile } from "@verbatim/testkit/fakes"
import { transcript } from "@verbatim/testkit/samples"
import { Effect, Layer, Option, Stream } from "effect"
import { Failure } from "#src/domain/attempt/Failure"
import { render } from "#src/domain/rendering/Rendering"
import { MediaLimits } from "#src/domain/transcription/MediaType"
import { Modifier } from "#src/domain/transcription/TranscriptionRequest"
import type { Warning } from "#src/domain/transcription/Warning"
import { AudioDecoderError } from "#src/ports/AudioDecoder"
import { TranscriberError } from "#src/ports/Transcriber"
import { Submissions } from "#src/services/intake/Submissions"
import { Jobs } from "#src/services/jobs/Jobs"
import { Workspaces } from "#src/services/workspaces/Workspaces"
import {
  callback,
  caller,
  look,
  pass,
  received,
  script,
  stored,
  submit,
  withWorker
} from "../world/caller.ts"
import { deployment, worker } from "../world/world.ts"

const url = "https://media.example.com/a"

const remote: RemoteFile = {
  hops: [],
  filename: Option.none(),
  contentType: Option.some("audio/mpeg"),
  byteLength: Option.none(),
  bytes: new Uint8Array(8)
}

/** Submits a valid URL, and changes its content before the fetch. */
const fetchedAs = Effect.fnUntraced(function* (change: Partial<RemoteFile>) {
  const principal = yield* caller
  const jobs = yield* Jobs
  const submissions = yield* Submissions
  const media = yield* FakeMedia
  yield* media.publish(url, remote)
  const parameters = Object.entries({ url, ...callback })
  const job = yield* submissions.submit(principal, {
    isTextual: false,
    parts: Stream.fromIterable(
      parameters.map(([name, value]) => ({ _tag: "Parameter" as const, name, value }))
    )
  })
  yield* media.publish(url, { ...remote, ...change })
  yield* Layer.build(worker)
  yield* pass(3)
  const result = Effect.flip(jobs.result(principal, { id: job.id, modifier: "plain_text" }))
  return { view: yield* look(principal, job), missing: yield* result }
})

describe("A job", () => {
  it.effect("has an empty list, no summary and a webhook with results if there is no speech", () =>
    withWorker(function* (principal) {
      const heard = { engine: "fake", language: "en" as const, segments: [] }
      yield* script({ transcribe: Effect.succeed(heard) })
      const [plain, called] = [
        yield* submit(principal, { summary: "brief" }),
        yield* submit(principal, { ...callback, summary: "long" })
      ]
      yield* pass(3)
      const one = yield* look(principal, plain)
      assert.strictEqual(one.transcription_status, "COMPLETED")
      assert.deepStrictEqual(one.output, { duration: "120", language: "en", list: [] })
      assert.strictEqual(one.summary_status, "SKIPPED: transcript is empty")
      const other = yield* look(principal, called)
      assert.strictEqual(other.transcription_status, "TRANSCRIBED")
      assert.strictEqual(other.status, "WEBHOOK_DELIVERED")
    })
  )

  it.effect("fails immediately with an explanation if its language is unsupported", () =>
    withWorker(function* (principal) {
      const reason = Failure.cases.LanguageUnsupported.make({ language: "cy" })
      yield* script({ transcribe: new TranscriberError({ reason }) })
      const job = yield* submit(principal, { language: "cy" })
      yield* pass(1)
      const { error, transcription_status } = yield* look(principal, job)
      assert.strictEqual(transcription_status, "FAILED")
      assert.strictEqual(error, "The speech engine does not support: cy")
    })
  )

  it.effect("follows the options in its request", () =>
    withWorker(function* (principal) {
      yield* submit(principal, {})
      yield* pass(1)
      yield* submit(principal, {
        language: "de",
        initial_prompt: "Hafenrundfahrt",
        vad_filter: false,
        disable_diarization: true,
        keywords: ["Elbe", "Köhlbrand"]
      })
      yield* pass(1)
      const asked = yield* Effect.flatMap(FakeEngines, (engines) => engines.recognitions)
      assert.deepStrictEqual(
        asked.map(
          ({ audio: _, cutOnce: _cut, onProgress: _on, recognisePieces: _pieces, ...hints }) =>
            hints
        ),
        [
          { language: null, initialPrompt: null, isVadFiltered: true, isDiarized: true },
          {
            language: "de",
            initialPrompt: "Hafenrundfahrt",
            isVadFiltered: false,
            isDiarized: false,
            keywords: ["Elbe", "Köhlbrand"]
          }
        ]
      )
    })
  )

  it.effect("shows whether the engine used the keywords of the request and the workspace", () =>
    withWorker(function* (principal) {
      const engines = yield* FakeEngines
      yield* (yield* Workspaces).change(principal.workspaceId, { keywords: ["quay", "Elbe"] })
      const heard = { engine: "fake", language: "en" as const, segments: [] }
      const outcomeOf = Effect.fnUntraced(function* (keywords: ReadonlyArray<string>) {
        const job = yield* submit(principal, { keywords })
        yield* pass(1)
        const { events } = yield* Effect.flatMap(Jobs, (jobs) => jobs.history(principal, job.id))
        return {
          seen: (yield* look(principal, job)).keywords_used,
          reported: events.find(({ event }) => event === "transcript_produced")?.keywords_used,
          asked: (yield* engines.recognitions).at(-1)?.keywords
        }
      })
      assert.deepStrictEqual(yield* outcomeOf(["Köhlbrand", "Elbe"]), {
        seen: false,
        reported: false,
        asked: ["Köhlbrand", "Elbe", "quay"]
      })
      yield* engines.script({ transcribe: Effect.succeed({ ...heard, areKeywordsUsed: true }) })
      const asked = ["quay", "Elbe"]
      assert.deepStrictEqual(yield* outcomeOf([]), { seen: true, reported: true, asked })
      yield* (yield* Workspaces).change(principal.workspaceId, { keywords: [] })
      const none = { seen: undefined, reported: undefined, asked: undefined }
      assert.deepStrictEqual(yield* outcomeOf([]), none)
    })
  )

  it.effect("shows a warning about truncated audio in lists and in its history", () =>
    withWorker(function* (principal) {
      const engines = yield* FakeEngines
      const jobs = yield* Jobs
      const { decode } = calmScript
      const warnings: ReadonlyArray<Warning> = [
        { _tag: "AudioTruncated", declaredMillis: 11_000, readMillis: 1_670 }
      ]
      const reported: Array<unknown> = []
      for (const [tracks, found] of [
        ["mix", warnings],
        ["default", []]
      ] as const) {
        const decoded = Effect.map(decode, (audio) => ({ ...audio, warnings: found }))
        yield* engines.script({ decode: decoded })
        const job = yield* submit(principal, { tracks })
        yield* pass(1)
        const { id } = yield* look(principal, job)
        const { events } = yield* jobs.history(principal, id)
        const { data } = yield* jobs.list(principal, {})
        reported.push([
          data.find((listed) => listed.id === id)?.warnings,
          events.find(({ event }) => event === "transcript_produced")?.warnings
        ])
        // The status has only the specified fields.
        assert.notProperty(yield* look(principal, job), "warnings")
      }
      const message = "The file declares 11.0 s of audio; 1.7 s could be read"
      const shown = [{ code: "audio_truncated", message }]
      assert.deepStrictEqual(reported, [
        [shown, shown],
        [[], undefined]
      ])
      assert.deepStrictEqual(yield* engines.tracks, ["mix", undefined])
    })
  )

  it.effect(
    "has a warning if its engine cannot separate speakers, unless diarization is disabled",
    () =>
      withWorker(function* (principal) {
        const [engines, jobs] = [yield* FakeEngines, yield* Jobs]
        const transcribe = Effect.map(calmScript.transcribe, (recognised) => ({
          ...recognised,
          areSpeakersUnknown: true
        }))
        yield* engines.script({ transcribe })
        yield* submit(principal, {})
        yield* submit(principal, { disable_diarization: true })
        yield* pass(5)
        const { data } = yield* jobs.list(principal, {})
        assert.deepStrictEqual(
          data.map(({ warnings = [] }) => warnings.map(({ code }) => code)),
          [[], ["speakers_unknown"]]
        )
      })
  )

  it.effect("names the cause if its file is not a recording", () =>
    withWorker(function* (principal) {
      const sentences = []
      for (const cause of ["Html", undefined] as const) {
        const reason = Failure.cases.MediaUndecodable.make({
          detail: "",
          ...(cause === undefined ? {} : { cause })
        })
        yield* script({ decode: new AudioDecoderError({ reason }) })
        const job = yield* submit(principal, {})
        yield* pass(1)
        sentences.push((yield* look(principal, job)).error)
      }
      assert.deepStrictEqual(sentences, [
        "The file is a web page, not a recording",
        "The file could not be decoded"
      ])
    })
  )
})

describe("A URL that changes after it was checked", () => {
  it.effect(
    "makes the job fail immediately, and sends a webhook, if the new media is unsupported",
    () =>
      Effect.gen(function* () {
        const { missing, view } = yield* fetchedAs({ contentType: Option.some("text/html") })
        assert.strictEqual(view.status, "FAILED")
        assert.strictEqual(view.error, "Unsupported file extension: ")
        assert.strictEqual(view.webhook_status, "DELIVERED")
        assert.deepInclude(missing, { _tag: "TranscriptMissing", during: "Fetching" })
      }).pipe(Effect.scoped, Effect.provide(deployment))
  )

  it.effect("makes the job fail, and stores nothing, if the file is too large", () =>
    Effect.gen(function* () {
      const { view } = yield* fetchedAs({ bytes: new Uint8Array(1_048_577) })
      assert.strictEqual(view.error, "File size exceeds 1MB limit")
      assert.deepStrictEqual(yield* stored, [])
    }).pipe(
      Effect.scoped,
      Effect.provide(deployment),
      Effect.provide(Layer.succeed(MediaLimits, { maxFileMegabytes: 1 }))
    )
  )
})

describe("A webhook with a modifier", () => {
  it.effect.each(Modifier.literals)("contains the transcript as %s", (modifier) =>
    withWorker(function* (principal) {
      const { segments } = transcript
      const heard = { engine: "fake", language: "en" as const, segments }
      yield* script({ transcribe: Effect.succeed(heard) })
      yield* submit(principal, { ...callback, modifier })
      yield* pass(2)
      const [post] = yield* received
      const { body, contentType } = render(modifier, { ...transcript, durationMillis: 120_000 })
      assert.strictEqual(post?.body, body)
      assert.strictEqual(post?.headers["Content-Type"], contentType)
    })
  )

  it.effect("still reports failures as JSON", () =>
    withWorker(function* (principal) {
      const reason = Failure.cases.EngineRefused.make({ detail: "a secret" })
      yield* script({ transcribe: new TranscriberError({ reason }) })
      const job = yield* submit(principal, { ...callback, modifier: "srt" })
      yield* pass(2)
      const [post] = yield* received
      assert.strictEqual(post?.headers["Content-Type"], "application/json")
      const { webhook_status: _, ...shown } = yield* look(principal, job)
      assert.deepStrictEqual(JSON.parse(post?.body ?? ""), { ...shown, webhook_status: "PENDING" })
      assert.strictEqual(shown.error, "The engine refused the work")
    })
  )
})
