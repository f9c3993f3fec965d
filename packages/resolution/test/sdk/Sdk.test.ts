/**
 * Tests that resolving a body that the SDKs' types allow results in a body that they also allow.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Arbitrary from "effect/Arbitrary"
import { type Format, formats, type Json, type JsonObject, resolve } from "#src/index"
import { configOf, requestOf } from "../generated.ts"
import { type JudgedBody, judge } from "./Judge.ts"

/**
 * The number of bodies generated per format. Each body is resolved into every format, for the
 * provider and for a gateway.
 */
const bodiesMax = 500

const isObject = (value: Json): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Fields that an endpoint requires and presets do not store. */
const conversation: Readonly<Record<Format, JsonObject>> = {
  responses: { input: "Hi" },
  chatCompletions: { messages: [{ role: "user", content: "Hi" }] },
  messages: { messages: [{ role: "user", content: "Hi" }] }
}

interface Case {
  readonly from: Format
  readonly to: Format
  readonly isGateway: boolean
  readonly config: JsonObject
  readonly request: JsonObject
}

const casesOf = Effect.fnUntraced(function* (
  from: Format,
  to: Format,
  isGateway: boolean
): Effect.fn.Return<ReadonlyArray<Case>, unknown> {
  const both = Arbitrary.all([configOf(from, isGateway), requestOf(to, isGateway)])
  const made = yield* Arbitrary.sampleEffect(both, { count: Math.ceil(bodiesMax / formats.length) })
  return made.map(([config, request]) => ({
    from,
    to,
    isGateway,
    config: { model: isGateway ? "lab/m" : "m", ...config },
    request: { ...conversation[to], ...request }
  }))
})

/** Build the cases only once, because building takes longer than checking. */
const cases = Effect.runSync(
  Effect.cached(
    Effect.forEach(formats, (from) =>
      Effect.forEach(formats, (to) =>
        Effect.forEach([false, true], (isGateway) => casesOf(from, to, isGateway))
      )
    ).pipe(Effect.map((all) => all.flat(3)))
  )
)

const resolved = ({ config, from, request, to }: Case) =>
  resolve({ version: 1, format: from, systemPrompt: "Be brief.", config }, request, to)

const limit = { max_tokens: 4_000 }

/** The body that became a preset, and the body that resolving this preset results in. */
const bodiesOf = (each: Case): ReadonlyArray<JudgedBody> => {
  const { config, from, isGateway, to } = each
  return [
    {
      format: from,
      isGateway,
      body: { ...(from === "messages" ? limit : {}), ...conversation[from], ...config }
    },
    {
      format: to,
      isGateway,
      body: { ...(to === "messages" ? limit : {}), ...resolved(each).request }
    }
  ]
}

/** Yields a copy of the value for each member, without that member, and the member's path. */
const lessened = function* (
  value: Json,
  path: ReadonlyArray<string> = []
): Generator<readonly [string, Json]> {
  if (Array.isArray(value)) {
    for (const [index, each] of value.entries()) {
      for (const [name, less] of lessened(each, [...path, String(index)])) {
        yield [name, value.with(index, less)]
      }
    }
  }
  if (!isObject(value)) return
  for (const [name, member] of Object.entries(value)) {
    const { [name]: _, ...rest } = value
    yield [[...path, name].join("."), rest]
    for (const [inner, less] of lessened(member, [...path, name])) {
      yield [inner, { ...value, [name]: less }]
    }
  }
}

/** Values, besides null, that mean the same as a missing member. */
const sameAsAbsent: Readonly<Record<string, Json>> = {
  parallel_tool_calls: true,
  tool_choice: "auto",
  "reasoning.enabled": true
}

/** Matches paths that this check skips: a tool's parameters and the type of thinking. */
const unreadable = /^thinking\.type$|^tools\.\d+\.(function\.)?parameters$/

/** Whether a member means the same as a missing member. */
const isSameAsMissing = ({ config }: Case, path: string): boolean => {
  const value = path.split(".").reduce<Json>((at, name) => Object(at)[name] ?? null, config)
  return value === null || sameAsAbsent[path] === value || unreadable.test(path)
}

describe("resolved bodies", () => {
  it.live("match the SDKs' types", () =>
    Effect.gen(function* () {
      const bodies = (yield* cases).flatMap(bodiesOf)
      const refused = yield* Effect.promise(() => judge(bodies))
      assert.deepStrictEqual(refused.slice(0, 3), [])
    })
  )

  it.live("contain every part of the preset, or report it as left out", () =>
    Effect.gen(function* () {
      // The resolution does not report the request's own fields, which take precedence.
      const silent: Array<string> = []
      for (const made of yield* cases) {
        const each = { ...made, request: conversation[made.to] }
        const resolution = resolved(each)
        const whole = JSON.stringify(resolution)
        const named = resolution.leftOut.map(({ field }) => field)
        for (const [path, config] of lessened(each.config)) {
          const isNamed = named.some((field) => `${path}.`.startsWith(`${field}.`))
          if (isNamed || isSameAsMissing(each, path)) continue
          // Without tools, or if no tool may be called, the setting for parallel calls has no
          // effect.
          const isNoneCalled = resolution.tools.length === 0 || each.config.tool_choice === "none"
          if (path === "parallel_tool_calls" && isNoneCalled) continue
          const less = JSON.stringify(resolved({ ...each, config: config as JsonObject }))
          const where = `${each.from} into ${each.to} ${each.isGateway}`
          if (less === whole) silent.push(`${where}: ${path} of ${JSON.stringify(each.config)}`)
        }
      }
      assert.deepStrictEqual(silent, [])
    })
  )

  it.live("are rejected if they contain a field that does not belong to their format", () =>
    Effect.gen(function* () {
      const body = { model: "m", ...conversation.responses, frequency_penalty: 1 }
      const refused = yield* Effect.promise(() =>
        judge([{ format: "responses", isGateway: false, body }])
      )
      assert.match(refused[0]?.reason ?? "", /frequency_penalty/)
    })
  )
})
