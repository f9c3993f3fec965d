import { assert, describe, it, layer } from "@effect/vitest"
import { ApiKeys } from "@verbatim/core/services"
import { document } from "@verbatim/http/description"
import { Effect, Redacted } from "effect"
import { type Encoding, encoded, encodings } from "../Bodies.ts"
import * as Deployment from "../Deployment.ts"
import { ajv, validatorOf } from "../Schemas.ts"
import { routes } from "../workspace/Routes.ts"
import { states, store } from "./JobStates.ts"
import { boundaries, optional, url } from "./TranscriptionBoundaries.ts"

const { inference } = Deployment.keys

type Parameters = Readonly<Record<string, unknown>>
type Document = ReturnType<typeof JSON.parse>

const described: Document = document()

const bodies: Readonly<Record<Encoding, string>> = {
  json: "TranscriptionJson",
  form: "TranscriptionForm",
  multipart: "TranscriptionMultipart"
}

/** Converts parameters to an encoding. In forms, all values are strings. */
const sentIn = (encoding: Encoding, parameters: Parameters): Parameters =>
  encoding === "json"
    ? parameters
    : Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, `${value}`]))

/** Parameters whose schema forbids the empty string, which the server treats as omitted. */
const neverEmpty = [
  "language",
  "tracks",
  "vad_filter",
  "disable_diarization",
  "callback_url",
  "modifier",
  "summary"
]

for (const encoding of encodings) {
  describe(`the published ${bodies[encoding]}`, () => {
    const isValid = validatorOf(bodies[encoding])
    const judge = (parameters: Parameters) =>
      isValid(sentIn(encoding, { url, ...parameters })) as boolean

    it("accepts and refuses the same bodies as the server", () => {
      const rows = boundaries.filter(({ only }) => only === undefined || only.includes(encoding))
      for (const { accepted, detail, refused, unsaid } of rows) {
        assert.isTrue(judge(accepted), `${detail}: ${ajv.errorsText(isValid.errors)}`)
        assert.strictEqual(judge(refused), unsaid !== undefined, JSON.stringify(refused))
      }
    })

    it("agrees with the server about which parameters count as omitted", () => {
      for (const name of optional) {
        const isList = encoding === "json" && (name === "keywords" || name.startsWith("speakers"))
        assert.strictEqual(judge({ [name]: "" }), !neverEmpty.includes(name) && !isList, name)
        if (encoding === "json") assert.isTrue(judge({ [name]: null }), name)
      }
      assert.isTrue(judge({ unknown: "x" }))
    })

    it("requires a file or a URL", () => {
      const file = { file: "bytes" }
      assert.isFalse(isValid({}))
      assert.strictEqual(isValid(file), encoding === "multipart")
      assert.strictEqual(isValid({ url, ...file }), encoding !== "multipart")
    })
  })
}

const operationOf = (name: string): Document => {
  const [method = "", path = ""] = name.split(" ")
  return described.paths[path][method]
}

/** Returns the example values of a body. */
const valuesOf = ({ examples = {} }: Document): ReadonlyArray<Document> =>
  Object.values<Document>(examples).map(({ value }) => value)

describe("the description of transcriptions", () => {
  it("has a description of every parameter, and an example of every body", () => {
    const own = routes.filter(({ path }) => /^\/(?:status|transc)/.test(path))
    for (const name of own.map((route) => route.name)) {
      const { description, parameters, requestBody, responses } = operationOf(name)
      assert.isNotEmpty(description)
      for (const parameter of parameters) assert.isNotEmpty(parameter.description, parameter.name)
      for (const { content = {}, description } of Object.values<Document>(responses)) {
        assert.isNotEmpty(description)
        for (const media of Object.values(content)) assert.isNotEmpty(valuesOf(media), name)
      }
      for (const media of Object.values(requestBody?.content ?? {})) {
        assert.isNotEmpty(valuesOf(media), name)
      }
    }
    for (const name of Object.values(bodies)) {
      const { properties } = described.components.schemas[name]
      for (const property of Object.values<Document>(properties)) {
        assert.isNotEmpty(property.description)
      }
    }
  })

  it("shows the webhook with its headers, bodies and responses", () => {
    const { parameters, requestBody, responses } = described.webhooks["transcription.ended"].post
    assert.deepStrictEqual(
      parameters.map(({ name, required }: Document) => [name, required]),
      [
        ["X-Callback-ID", false],
        ["webhook-id", true],
        ["webhook-timestamp", true],
        ["webhook-signature", false]
      ]
    )
    const { content } = operationOf("get /status/{id}/{modifier}").responses[200]
    assert.hasAllKeys(requestBody.content, Object.keys(content))
    assert.hasAllKeys(responses, ["2XX", "4XX"])
    const isJob = validatorOf("Job")
    const { errorReport, results } = requestBody.content["application/json"].examples
    assert.isTrue(isJob(results.value) && isJob(errorReport.value))
  })
})

/** Paths below `/v1`, each with the schema of its response. */
const answers: ReadonlyArray<readonly [schema: string, path: string, method?: string]> = [
  ["JobPage", "/transcriptions"],
  ["JobPage", "/transcriptions?limit=1"],
  ["TranscriptionError", "/transcriptions?limit=0"],
  ["TranscriptionError", "/status/unknown"],
  ...states.flatMap(({ id, transcription }) => {
    const isHeard = transcription === "Transcribed"
    const isFailed = transcription === "Unfetched" || transcription === "Broken"
    const [done, other] = isHeard ? [true, ""] : [false, isFailed ? "TranscriptionError" : "Job"]
    return [
      ["Job", `/status/${id}`] as const,
      ["JobHistory", `/transcriptions/${id}/history`] as const,
      [
        isHeard ? "Corrections" : "TranscriptionError",
        `/transcriptions/${id}/corrections`
      ] as const,
      [done ? "ParagraphJson" : other, `/status/${id}/paragraph_json`] as const,
      [done ? "PlainJson" : other, `/status/${id}/plain_json`] as const,
      [done ? "WordJson" : other, `/status/${id}/word_json`] as const
    ]
  }),
  ["JobHistory", `/transcriptions/${states.at(-1)?.id}/history`],
  ["Job", `/transcriptions/${states.at(-1)?.id}/webhook`, "POST"],
  ["TranscriptionError", `/transcriptions/${states.at(-1)?.id}/webhook`, "POST"]
]

layer(Deployment.layer(), { excludeTestServices: true })("a response about a job", (it) => {
  it.effect("can be stored for a job in every state", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const caller = yield* keys.authenticate(Redacted.make(inference))
      yield* store(caller.workspaceId)
    })
  )

  it.effect("matches its published schema", () =>
    Effect.gen(function* () {
      const { call } = yield* Deployment.Deployment
      for (const [name, path, method = "GET"] of answers) {
        const isValid = validatorOf(name)
        const { text } = yield* call(`/v1${path}`, { method, key: inference })
        assert.isTrue(isValid(JSON.parse(text)), `${path}: ${ajv.errorsText(isValid.errors)}`)
      }
    })
  )

  it.effect("is returned for every example request in the description", () =>
    Effect.gen(function* () {
      const { call } = yield* Deployment.Deployment
      const { content } = operationOf("post /transcribe").requestBody
      const shown = [
        ["json", "application/json"],
        ["form", "application/x-www-form-urlencoded"],
        ["multipart", "multipart/form-data"]
      ] as const
      for (const [encoding, type] of shown) {
        for (const value of valuesOf(content[type]).filter(({ file }) => file === undefined)) {
          const body = encoded(encoding, value)
          const answer = yield* call("/v1/transcribe", { key: inference, ...body })
          assert.strictEqual(answer.status, 200, answer.text)
          assert.isTrue(validatorOf("Job")(JSON.parse(answer.text)))
        }
      }
    })
  )
})
