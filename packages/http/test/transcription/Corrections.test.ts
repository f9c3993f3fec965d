/**
 * Tests corrections over HTTP: their effect on every rendering of a transcript, and the refusals of
 * invalid corrections.
 */
import { assert, layer } from "@effect/vitest"
import { JobStore } from "@verbatim/core/ports"
import { creation, jobId, makeUploadJob, transcript, workspaceId } from "@verbatim/testkit/samples"
import { Effect } from "effect"
import * as Deployment from "../Deployment.ts"
import { transcribed } from "../TranscribedJob.ts"

const [recognisedJob, pending, foreign, fresh, divided] = [1, 2, 3, 4, 5].map(jobId)

const prepare = Effect.gen(function* () {
  const jobs = yield* JobStore
  const own = yield* transcribed(1, transcript)
  yield* transcribed(4, transcript)
  yield* transcribed(5, transcript)
  yield* jobs.insert(creation(makeUploadJob(2, { workspaceId: own.workspaceId })))
  yield* jobs.insert(creation(makeUploadJob(3, { workspaceId: workspaceId(9) })))
})

interface Sent {
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

const send = Effect.fnUntraced(function* (method: string, path: string, sent: Sent = {}) {
  const { call } = yield* Deployment.Deployment
  const { headers, status, text } = yield* call(`/v1${path}`, {
    method,
    key: Deployment.keys.inference,
    headers: { "content-type": "application/json", ...sent.headers },
    ...(sent.body === undefined ? {} : { body: JSON.stringify(sent.body) })
  })
  const isJson = headers.get("content-type")?.startsWith("application/json") === true
  return { status, tag: headers.get("etag"), value: isJson ? JSON.parse(text) : text }
})

type Headers = Record<string, string>

const correct = (id: string | undefined, body: unknown, headers: Headers = {}) =>
  send("PATCH", `/transcriptions/${id}/segments`, { body, headers })

const nameSpeakers = (id: string | undefined, body: unknown, headers: Headers = {}) =>
  send("PUT", `/transcriptions/${id}/speakers`, { body, headers })

const goBack = (id: string | undefined, version: unknown) =>
  send("PUT", `/transcriptions/${id}/corrections/current`, { body: { version } })

const forms = [
  ...["", "/plain_text", "/plain_json", "/paragraph_text"],
  ...["/paragraph_json", "/word_json", "/srt", "/vtt"]
]

const readForms = (id: string | undefined) =>
  Effect.forEach(forms, (form) =>
    Effect.map(send("GET", `/status/${id}${form}`), ({ value }) => value)
  )

layer(Deployment.layer(), { excludeTestServices: true })("corrections", (it) => {
  it.effect("apply to stored jobs", () => prepare)

  it.effect("change every rendering of the transcript, until a version is restored", () =>
    Effect.gen(function* () {
      const recognised = yield* readForms(recognisedJob)
      const named = yield* nameSpeakers(recognisedJob, { speaker_0: "Ana <&> é" })
      assert.deepStrictEqual(named, {
        status: 200,
        tag: '"1"',
        value: { version: 1, speakers: { speaker_0: "Ana <&> é" }, segment_count: 0 }
      })
      const corrected = yield* correct(recognisedJob, [
        { index: 1, text: "Special\nremarks --> now.", speaker: "speaker_0" }
      ])
      assert.deepStrictEqual(corrected.value, { ...named.value, version: 2, segment_count: 1 })

      const [status, text, plain, , paragraphs, words, srt, vtt] = yield* readForms(recognisedJob)
      const spoken = "Hello there. Special remarks --> now."
      assert.deepStrictEqual(status.output.list, [
        { start: "0", end: "0.9", speaker: "Ana <&> é", text: "Hello there." },
        { start: "1", end: "1.9", speaker: "Ana <&> é", text: "Special\nremarks --> now." }
      ])
      assert.strictEqual(text, spoken)
      assert.deepStrictEqual(plain.list, [{ text: spoken }])
      assert.deepStrictEqual(
        paragraphs.list.map(({ speaker, text }: Record<string, string>) => [speaker, text]),
        [["Ana <&> é", spoken]]
      )
      assert.include(srt, "Special remarks -- > now.")
      assert.include(vtt, "<v Ana &lt;&amp;&gt; é>")
      // The words of the corrected text have no timestamps.
      assert.deepStrictEqual(
        words.list.map((word: Record<string, unknown>) => [word.text, word.estimated ?? false]),
        [
          ["Hello", false],
          ["there.", false],
          ...["Special", "remarks", "-->", "now."].map((word) => [word, true])
        ]
      )

      assert.deepStrictEqual(yield* goBack(recognisedJob, 0), {
        status: 200,
        tag: '"3"',
        value: { version: 3, speakers: {}, segment_count: 0 }
      })
      assert.deepStrictEqual(yield* readForms(recognisedJob), recognised)
      // A response with a version can be sent back unchanged.
      const second = yield* send("GET", `/transcriptions/${recognisedJob}/corrections/2`)
      const path = `/transcriptions/${recognisedJob}/corrections/current`
      const back = yield* send("PUT", path, { body: second.value })
      assert.deepStrictEqual([back.status, back.value.version], [200, 4])
      assert.deepStrictEqual(yield* readForms(recognisedJob), [
        status,
        text,
        plain,
        (yield* send("GET", `/status/${recognisedJob}/paragraph_text`)).value,
        paragraphs,
        words,
        srt,
        vtt
      ])
    })
  )

  it.effect("return 304 if the client has the current version", () =>
    Effect.gen(function* () {
      const path = `/transcriptions/${recognisedJob}/corrections`
      const readUnless = (tag: string) => send("GET", path, { headers: { "if-none-match": tag } })
      const { tag } = yield* readUnless("no tag")
      assert.isString(tag)
      assert.deepStrictEqual(yield* readUnless(`"0", ${tag}`), { status: 304, tag, value: "" })
      assert.strictEqual((yield* readUnless('"0"')).status, 200)
    })
  )

  it.effect("are listed with their versions", () =>
    Effect.gen(function* () {
      const { tag, value } = yield* send(
        "GET",
        `/transcriptions/${recognisedJob}/corrections?limit=3`
      )
      assert.strictEqual(tag, '"4"')
      assert.deepInclude(value, {
        version: 4,
        speakers: { speaker_0: "Ana <&> é" },
        segment_count: 1,
        segments: [{ index: 1, text: "Special\nremarks --> now.", speaker: "speaker_0" }],
        next_segment: null,
        next_before: 2
      })
      assert.deepStrictEqual(
        value.versions.map(({ back_to, segment_count, version }: Record<string, number>) => [
          version,
          back_to,
          segment_count
        ]),
        [
          [4, 2, 1],
          [3, 0, 1],
          [2, null, 1]
        ]
      )
      const rest = yield* send("GET", `/transcriptions/${recognisedJob}/corrections?before=2`)
      assert.deepStrictEqual(rest.value.versions.length, 1)
      assert.isNull(rest.value.next_before)
      const later = yield* send(
        "GET",
        `/transcriptions/${recognisedJob}/corrections?from_segment=2`
      )
      assert.deepStrictEqual(later.value.segments, [])
      const second = yield* send("GET", `/transcriptions/${recognisedJob}/corrections/2`)
      assert.match(second.value.user_id, /^user_/)
      assert.isString(second.value.key_id)
      assert.deepInclude(second.value, {
        version: 2,
        speakers: {},
        segments: [{ index: 1, text: "Special\nremarks --> now.", speaker: "speaker_0" }]
      })
    })
  )

  it.effect("apply to the version in If-Match, or to any version if the header is omitted", () =>
    Effect.gen(function* () {
      const first = yield* nameSpeakers(fresh, { speaker_0: "Ana" }, { "if-match": '"0"' })
      assert.strictEqual(first.tag, '"1"')
      const late = yield* nameSpeakers(fresh, { speaker_0: "Ben" }, { "if-match": '"0"' })
      assert.deepStrictEqual(late, {
        status: 409,
        tag: null,
        value: { detail: "If-Match does not hold: the corrections are at version 1" }
      })
      const any = yield* correct(fresh, [{ index: 0, text: "Hi." }], { "if-match": "*" })
      assert.deepStrictEqual(any.value, {
        version: 2,
        speakers: { speaker_0: "Ana" },
        segment_count: 1
      })
      // A correction without changes creates no version.
      assert.deepStrictEqual(yield* correct(fresh, [{ index: 0, text: "Hi." }]), {
        ...any,
        status: 200
      })
      const cleared = yield* correct(fresh, [{ index: 0, text: null }])
      assert.deepInclude(cleared.value, { version: 3, segment_count: 0 })
    })
  )

  it.effect("are applied only once for each idempotency key", () =>
    Effect.gen(function* () {
      const once = { "idempotency-key": "once" }
      const first = yield* nameSpeakers(fresh, { speaker_1: "Cleo" }, once)
      yield* nameSpeakers(fresh, { speaker_1: "Dan" })
      assert.deepStrictEqual(yield* nameSpeakers(fresh, { speaker_1: "Cleo" }, once), first)
      const other = yield* correct(fresh, [{ index: 0, text: "Hi." }], once)
      assert.deepStrictEqual(
        [other.status, other.value.detail],
        [409, "Idempotency-Key was already used with another request"]
      )
    })
  )

  it.effect("split and join segments in every rendering, until a version is restored", () =>
    Effect.gen(function* () {
      const recognised = yield* readForms(divided)
      const at = (version: number) => ({ "if-match": `"${version}"` })
      const listOf = Effect.map(readForms(divided), ([status]) => status.output.list)
      const change = [{ index: 1, speaker: "Ana", split: { at: 7 } }]
      const first = yield* correct(divided, change, at(0))
      assert.deepStrictEqual(first.value, { version: 1, speakers: {}, segment_count: 2 })
      const split = [{ index: 0, split: { at: 6, speaker: "Ben" } }]
      assert.strictEqual((yield* correct(divided, split, at(1))).tag, '"2"')
      assert.deepStrictEqual(yield* listOf, [
        { start: "0", end: "0.4", speaker: "speaker_0", text: "Hello" },
        { start: "0.4", end: "0.9", speaker: "Ben", text: "there." },
        { start: "1", end: "1.394", speaker: "Ana", text: "General" },
        { start: "1.45", end: "1.9", speaker: "Ana", text: "remarks." }
      ])
      const [, , , , paragraphs, words] = yield* readForms(divided)
      assert.deepStrictEqual(
        paragraphs.list.map(({ speaker, text }: Record<string, string>) => [speaker, text]),
        [
          ["speaker_0", "Hello"],
          ["Ben", "there."],
          ["Ana", "General remarks."]
        ]
      )
      assert.notProperty(words.list[1], "estimated")
      const found = yield* send("GET", "/transcriptions?q=ben")
      assert.include(JSON.stringify(found.value), String(divided))

      const joins = [
        { index: 1, text: "again.", join: true },
        { index: 3, join: true }
      ]
      yield* correct(divided, joins, at(2))
      yield* correct(divided, [{ index: 1, join: true }], at(3))
      assert.deepStrictEqual(yield* listOf, [
        { start: "0", end: "1.9", speaker: "speaker_0", text: "Hello again. General remarks." }
      ])
      const shown = yield* send("GET", `/transcriptions/${divided}/corrections/4`)
      assert.deepStrictEqual(shown.value.segments, [
        { index: 1, text: null, speaker: "Ana", edge: "joined" }
      ])
      const unnamed = yield* correct(divided, [{ index: 0, text: "Hi." }])
      assert.deepStrictEqual(
        [unnamed.status, unnamed.value.detail],
        [400, "'If-Match' is required to split or join segments, and once they are split or joined"]
      )
      yield* goBack(divided, 0)
      assert.deepStrictEqual(yield* readForms(divided), recognised)
    })
  )

  it.effect("are refused with a message if they are invalid", () =>
    Effect.gen(function* () {
      const refusals = [
        [yield* nameSpeakers(pending, {}), 409, "The transcription has no transcript yet"],
        [yield* nameSpeakers(foreign, {}), 404, "Request not found"],
        [
          yield* nameSpeakers(recognisedJob, { speaker_7: "Ana" }),
          400,
          "'speaker_7' is not a speaker of the transcript"
        ],
        [
          yield* send("GET", `/transcriptions/${recognisedJob}/corrections?limit=x&before=y`),
          400,
          "Invalid 'before' value. Must be an integer from 1 to 999999999"
        ],
        [yield* goBack(recognisedJob, 99), 404, "The corrections have no version 99"],
        [
          yield* correct(recognisedJob, [{ index: 0, split: { at: 0 } }], { "if-match": "*" }),
          400,
          "'segments[0].split.at' must leave text on both sides"
        ],
        [
          yield* correct(recognisedJob, [{ index: 0, join: true }], { "if-match": "*" }),
          400,
          "'segments[0].join' needs a segment before it"
        ],
        [
          yield* correct(recognisedJob, [{ index: 1, join: true }], { "if-match": '"0"' }),
          409,
          "If-Match does not hold: the corrections are at version 4"
        ]
      ] as const
      for (const [{ status, value }, expected, detail] of refusals) {
        assert.deepStrictEqual([status, value], [expected, { detail }])
      }
    })
  )
})
