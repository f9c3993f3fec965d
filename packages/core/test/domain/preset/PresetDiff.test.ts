/** Lists of tools are compared by name, and long texts line by line. */
import { assert, describe, it } from "@effect/vitest"
import { canonical, jsonObject } from "@verbatim/testkit/samples"
import { Schema } from "effect"
import * as Arbitrary from "effect/Arbitrary"
import {
  type Difference,
  diff,
  isSame,
  lineMax,
  pathLengthMax,
  textMax
} from "#src/domain/preset/PresetDiff"
import { versionOf } from "../../services/presets/Versions.ts"

type Config = Schema.JsonObject

const differences = (from: Config, to: Config) => diff(versionOf(from), versionOf(to)).config

const named = (entries: ReadonlyArray<readonly [string, Schema.Json]>): Config =>
  Object.fromEntries(entries)

const backwards = (value: Schema.Json): Schema.Json => {
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) return value.map(backwards)
  return named(
    Object.entries(value)
      .map(([name, member]) => [name, backwards(member)] as const)
      .reverse()
  )
}

describe("the difference between two versions", () => {
  it("names both versions, and lists added, removed and changed values by path", () => {
    const from = versionOf({ model: "a", top_k: 1, provider: { sort: "price", zdr: true } })
    const to = versionOf(
      { model: "b", seed: 7, provider: { sort: "latency", zdr: true } },
      { version: 4, systemPrompt: "Be brief." }
    )
    assert.deepStrictEqual(diff(from, to), {
      from: 1,
      to: 4,
      format: null,
      system_prompt: { from: null, to: "Be brief." },
      config: [
        { path: "/model", kind: "changed", from: "a", to: "b" },
        { path: "/provider/sort", kind: "changed", from: "price", to: "latency" },
        { path: "/seed", kind: "added", to: 7 },
        { path: "/top_k", kind: "removed", from: 1 }
      ],
      wins: null
    })
  })

  it("shows the enclosing value as changed if a value's path is too long", () => {
    const edge = "x".repeat(pathLengthMax - "/text/".length)
    const at = (name: string, value: Schema.Json) => ({ text: { same: { a: 1 }, [name]: value } })
    assert.deepStrictEqual(differences(at(edge, 1), at(edge, 2)), [
      { path: `/text/${edge}`, kind: "changed", from: 1, to: 2 }
    ])
    for (const [from, to] of [
      [at(`${edge}x`, 1), at(`${edge}x`, 2)],
      [at(`${edge}x`, 1), at("other", 1)],
      // Escaping makes a key longer.
      [at(`${edge.slice(1)}/`, { a: 1 }), at(`${edge.slice(1)}/`, { a: 2 })]
    ] as const) {
      assert.deepStrictEqual(differences(from, to), [
        { path: "/text", kind: "changed", from: from.text, to: to.text }
      ])
    }
    assert.deepStrictEqual(differences(at(`${edge}x`, { b: 1 }), at(`${edge}x`, { b: 1 })), [])
  })

  it("shows the keys of an object if their order differs", () => {
    const schema = (...names: ReadonlyArray<string>) => ({
      text: { format: { schema: { properties: named(names.map((name) => [name, {}])) } } }
    })
    const path = "/text/format/schema/properties"
    assert.deepStrictEqual(differences(schema("why", "answer"), schema("answer", "why")), [
      { path, kind: "changed", is_order: true, from: ["why", "answer"], to: ["answer", "why"] }
    ])
    // An added key does not change the order of the others.
    assert.deepStrictEqual(differences(schema("a", "b"), schema("c", "a", "b")), [
      { path: `${path}/c`, kind: "added", to: {} }
    ])
    const listed = (...names: ReadonlyArray<string>) => ({ plugins: [schema(...names)] })
    assert.deepStrictEqual(
      differences(listed("a", "b"), listed("b", "a")).map(({ path }) => path),
      [`/plugins/0${path}`]
    )
  })

  it("compares every list as a whole, except lists of tools", () => {
    assert.deepStrictEqual(differences({ models: ["a", "b"] }, { models: ["b", "a"] }), [
      { path: "/models", kind: "changed", from: ["a", "b"], to: ["b", "a"] }
    ])
    assert.deepStrictEqual(differences({ a: [] }, { a: {} }), [
      { path: "/a", kind: "changed", from: [], to: {} }
    ])
  })

  it("escapes keys as JSON pointers require", () => {
    const paths = differences({}, { "a/b": 1, "m~n": 2, "~1": 3, "": 4 }).map(({ path }) => path)
    assert.deepStrictEqual(paths, ["/", "/a~1b", "/m~0n", "/~01"])
  })

  it("treats keys such as __proto__ as ordinary keys", () => {
    const hidden = named([["__proto__", { model: "x" }]])
    assert.deepStrictEqual(
      differences({}, hidden).map(({ kind, path }) => [kind, path]),
      [["added", "/__proto__"]]
    )
    assert.deepStrictEqual(
      differences(hidden, named([["__proto__", { model: "y" }]])).map(({ path }) => path),
      ["/__proto__/model"]
    )
    // Properties such as `constructor` count as missing unless the version contains them.
    assert.deepStrictEqual(
      differences({ constructor: 1 }, {}).map(({ kind }) => kind),
      ["removed"]
    )
    assert.isFalse(isSame({ toString: 1 }, { valueOf: 1 }))
    assert.isFalse(isSame(hidden, { model: "x" }))
  })

  it.prop(
    "is empty if and only if both versions and the order of their keys are equal",
    [jsonObject, jsonObject],
    (pair) => {
      const [one, two] = pair
      for (const other of [one, two, named(Object.entries(backwards(one) as Config))]) {
        const isSame = JSON.stringify(one) === JSON.stringify(other)
        assert.strictEqual(differences(one, other).length === 0, isSame)
      }
    }
  )

  it.prop(
    "turns one version into the other when it is applied",
    [jsonObject, jsonObject],
    ([from, to]) => {
      const led = differences(from, to)
        .filter(({ is_order: isOrder }) => !isOrder)
        .reduce<Config>(patched, from)
      assert.strictEqual(canonical(led), canonical(to))
    }
  )
})

/** Resolves JSON pointers independently of the module that writes them. */
const namesOf = (path: string): ReadonlyArray<string> =>
  path
    .slice(1)
    .split("/")
    .map((name) => name.replace(/~[01]/g, (escaped) => (escaped === "~1" ? "/" : "~")))

const patched = (config: Config, { path, to }: Difference): Config => {
  const replace = (object: Config, [name = "", ...rest]: ReadonlyArray<string>): Config => {
    const members = new Map(Object.entries(object))
    const inner = members.get(name)
    if (rest.length > 0) members.set(name, replace(inner as Config, rest))
    else if (to === undefined) members.delete(name)
    else members.set(name, to)
    return Object.fromEntries(members)
  }
  return replace(config, namesOf(path))
}

describe("the difference between two lists of tools or two texts", () => {
  const weather = { type: "function", name: "weather", parameters: { type: "object" } }
  const inChat = ({ type, ...inner }: typeof weather) => ({ type, function: inner })
  const server = { type: "mcp", server_label: "notes", server_url: "https://a.test" }

  it("compares tools by the name of the function or server, or by their type", () => {
    const search = { type: "web_search" }
    assert.deepStrictEqual(
      differences(
        { tools: [weather, server, search] },
        {
          tools: [
            { ...weather, description: "Looks outside." },
            { ...search, size: 1 }
          ]
        }
      ),
      [
        { path: "/tools/notes", kind: "removed", from: server },
        { path: "/tools/weather/description", kind: "added", to: "Looks outside." },
        { path: "/tools/web_search/size", kind: "added", to: 1 }
      ]
    )
    const clock = { type: "custom", custom: { name: "clock" } }
    assert.deepStrictEqual(
      differences({ tools: [inChat(weather), clock] }, { tools: [clock, inChat(weather)] }),
      [
        {
          ...{ path: "/tools", kind: "changed", is_order: true },
          ...{ from: ["weather", "clock"], to: ["clock", "weather"] }
        }
      ]
    )
  })

  it("compares a list of tools as a whole if a name is missing, a duplicate or a number", () => {
    for (const tools of [
      [weather, weather],
      [weather, {}],
      [weather, { name: "1" }]
    ]) {
      assert.deepStrictEqual(differences({ tools: [weather] }, { tools }), [
        { path: "/tools", kind: "changed", from: [weather], to: tools }
      ])
    }
  })

  it("shows the changed lines of multi-line texts", () => {
    const from = "Write minutes.\nBe brief.\n\nSign them."
    const to = "Write minutes.\n\nSign them.\nThank all.\nLeave."
    const lines = [
      { from: 2, removed: ["Be brief."], to: 2, added: [] },
      { from: 5, removed: [], to: 4, added: ["Thank all.", "Leave."] }
    ]
    const [old, next] = [from, to].map((systemPrompt) =>
      versionOf(
        { tools: [{ ...weather, description: systemPrompt }], model: systemPrompt.slice(0, 3) },
        { systemPrompt }
      )
    )
    if (old === undefined || next === undefined) return assert.fail("two versions were made")
    assert.deepStrictEqual(diff(old, next), {
      ...{ from: 1, to: 1, format: null },
      system_prompt: { from, to, lines },
      config: [{ path: "/tools/weather/description", kind: "changed", from, to, lines }],
      wins: null
    })
  })

  it("compares a limited number of texts line by line, and shows the others as a whole", () => {
    const texts = (last: string) =>
      Object.fromEntries(
        Array.from({ length: textMax + 1 }, (_, index) => [`a${index}`, `a\n${last}`])
      )
    const { config } = diff(versionOf(texts("b")), versionOf(texts("c")))
    assert.strictEqual(config.length, textMax + 1)
    assert.strictEqual(config.filter(({ lines }) => lines !== undefined).length, textMax)
  })

  it("shows the whole text if too many lines differ", () => {
    const added = (count: number) =>
      diff(
        versionOf({}, { systemPrompt: "a" }),
        versionOf({}, { systemPrompt: `a${"\nb".repeat(count)}` })
      ).system_prompt
    assert.isDefined(added(lineMax)?.lines)
    assert.isUndefined(added(lineMax + 1)?.lines)
  })

  const Prose = Arbitrary.schema(Schema.Array(Schema.Literals(["a", "b", "c", ""])))

  it.prop("lists changes that turn one text into the other", [Prose, Prose], ([one, other]) => {
    const prompts = [
      ["", ...one],
      ["", ...other]
    ].map((lines) => lines.join("\n"))
    const [from, to] = prompts.map((systemPrompt) => versionOf({}, { systemPrompt }))
    if (from === undefined || to === undefined) return assert.fail("two versions were made")
    const changes = diff(from, to).system_prompt?.lines ?? []
    const led = changes
      .toReversed()
      .reduce<ReadonlyArray<string>>(
        (lines, { added, from, removed }) => lines.toSpliced(from - 1, removed.length, ...added),
        ["", ...one]
      )
    assert.deepStrictEqual(led, ["", ...other])
  })
})
