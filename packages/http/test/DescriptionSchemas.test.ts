import { assert, describe, it, layer } from "@effect/vitest"
import {
  type Boundary,
  boundaries,
  chatCompletions,
  conversations,
  messages
} from "@verbatim/testkit/samples"
import { Effect } from "effect"
import * as Deployment from "./Deployment.ts"
import { ask, create, type PresetCall } from "./preset/PresetCalls.ts"
import { ajv, validatorOf } from "./Schemas.ts"

const beside = (rows: ReadonlyArray<Boundary>): ReadonlyArray<Boundary> =>
  rows.map(({ accepted, problem, refused }) => ({
    accepted: { messages: [], ...accepted },
    refused: { messages: [], ...refused },
    problem
  }))

/** One kind of body. */
interface PresetBody {
  readonly schema: string
  readonly rows: ReadonlyArray<Boundary>
}

const presetBodies: ReadonlyArray<PresetBody> = [
  { schema: "ResponsesRequest", rows: boundaries },
  {
    schema: "ChatCompletionsRequest",
    rows: [...conversations, ...beside(chatCompletions)]
  },
  {
    schema: "MessagesRequest",
    rows: [...conversations, ...beside(messages)]
  }
]

/** Rules that JSON Schema cannot express; only the server refuses there. */
const unsaid = [
  "at most 65536 characters in total",
  "needs a tool_search tool",
  "needs another tool that is not deferred"
]

for (const { rows, schema } of presetBodies) {
  describe(`the published ${schema}`, () => {
    const isValid = validatorOf(schema)
    it("accepts and refuses what the server does", () => {
      for (const { accepted, problem, refused } of rows) {
        const isSaid = !unsaid.some((rule) => problem.endsWith(rule))
        assert.isTrue(isValid(accepted), `${problem}: ${ajv.errorsText(isValid.errors)}`)
        assert.strictEqual(isValid(refused), !isSaid, problem)
      }
    })
  })
}

/** What each operation answers, and the name of its schema. */
const answers: ReadonlyArray<readonly [schema: string, call: PresetCall]> = [
  ["PresetPage", { path: "" }],
  ["PresetAnswer", { path: "/a" }],
  ["PresetVersionPage", { path: "/a/versions" }],
  ["PresetVersionAnswer", { path: "/a/versions/1" }],
  ["DesignationPage", { path: "/a/designations" }],
  ["PresetDiffAnswer", { path: "/a/diff?from=1&to=2" }],
  ["PresetAnswer", { path: "/a", method: "PATCH", json: { status: "disabled" } }],
  ["PresetAnswer", { path: "/a/designated-version", method: "PUT", json: { version: 1 } }],
  ["PresetError400", { path: "?limit=0" }],
  ["PresetError401", { path: "", key: "nobody" }],
  ["PresetError403", { path: "/a/responses", key: Deployment.keys.inference, json: {} }],
  ["PresetError404", { path: "/b" }],
  ["PresetError409", { path: "/a", method: "PATCH", json: {}, headers: { "if-match": '"other"' } }]
]

layer(Deployment.layer(), { excludeTestServices: true })("an answer", (it) => {
  it.effect("comes of two versions", () =>
    Effect.gen(function* () {
      yield* create("a", { model: "a" })
      assert.strictEqual((yield* create("a", { instructions: "b" })).status, 200)
    })
  )

  for (const [schema, call] of answers) {
    it.effect(`is a ${schema}: ${call.method ?? "GET"} /presets${call.path}`, () =>
      Effect.gen(function* () {
        const isValid = validatorOf(schema)
        const { body } = yield* ask(call)
        assert.isTrue(isValid(body), ajv.errorsText(isValid.errors))
      })
    )
  }
})
