/**
 * Compares the API description with the server. Requests are generated from the description alone,
 * and both must accept and refuse the same ones. The table below lists the allowed differences and
 * their reasons.
 */
import { scaleRuns } from "@verbatim/testkit/laws"
import { Ajv2020 } from "ajv/dist/2020.js"
import * as fc from "fast-check"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { dataDirectory, managementKey, operatorKey, ServerProcess } from "./ServerProcess.ts"

const odd = [
  "",
  "\u0000",
  "\ud800",
  "../../etc/passwd",
  "' OR 1=1 --",
  "$(id)",
  "<script>alert(1)</script>",
  "%00",
  "NaN",
  "-1",
  "null",
  "\r\nx: y",
  "x".repeat(300),
  "é".repeat(5_000)
]

/** Generates strings of any characters, most of them short. */
const strings: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.string({ maxLength: 12 }) },
  { weight: 2, arbitrary: fc.string({ unit: "binary", maxLength: 12 }) },
  { weight: 1, arbitrary: fc.constantFrom(...odd) }
)

const numbers: fc.Arbitrary<number> = fc.oneof(
  fc.integer(),
  fc.double(),
  fc.constantFrom(0, -0, 1, -1, 0.5, 1e21, 2 ** 53, -(2 ** 63), 5e-324, 1.7e308)
)

const span = 1_000_000

/** Generates whole numbers within the bounds, and one beyond each bound. */
const integers = (bounds: {
  readonly minimum?: number
  readonly maximum?: number
}): fc.Arbitrary<number> => {
  const min = Math.max(bounds.minimum ?? -1, -span)
  const max = Math.max(min, Math.min(bounds.maximum ?? 1_000, span))
  return fc.integer({ min: min - 1, max: max + 1 })
}

const anything: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<unknown>(null, true, false, {}, []),
    strings,
    numbers,
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.oneof(strings, fc.constantFrom("__proto__", "type", "id")), tie("value"), {
      maxKeys: 3
    })
  )
})).value

/** The keywords of a schema that are used here. All others only restrict the values further. */
interface Schema {
  readonly $ref?: string
  readonly type?: string | ReadonlyArray<string>
  readonly const?: unknown
  readonly enum?: ReadonlyArray<unknown>
  readonly anyOf?: ReadonlyArray<Schema>
  readonly oneOf?: ReadonlyArray<Schema>
  readonly allOf?: ReadonlyArray<Schema>
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: ReadonlyArray<string>
  readonly items?: Schema
  readonly minimum?: number
  readonly maximum?: number
}

/** Referenced schemas by name. */
type Known = Readonly<Record<string, Schema>>

const depthMax = 6

/**
 * Maximum number of generated properties. A body in which everything is wrong says little about any
 * one property.
 */
const propertyMax = 4

const objectOf = (schema: Schema, known: Known, depth: number): fc.Arbitrary<unknown> => {
  const properties = Object.entries(schema.properties ?? {})
  if (properties.length === 0) return fc.dictionary(strings, anything, { maxKeys: 3 })
  const required = new Set(schema.required)
  const optional = properties.flatMap(([name]) => (required.has(name) ? [] : [name]))
  const valueOf = (name: string) => ofSchema(schema.properties?.[name] ?? {}, known, depth + 1)
  return fc
    .subarray(optional, { maxLength: Math.min(propertyMax, optional.length) })
    .chain((chosen) =>
      fc.record(Object.fromEntries([...required, ...chosen].map((name) => [name, valueOf(name)])))
    )
}

const ofType = (type: string, schema: Schema, known: Known, depth: number) => {
  const kinds: Readonly<Record<string, () => fc.Arbitrary<unknown>>> = {
    object: () => objectOf(schema, known, depth),
    array: () => fc.array(ofSchema(schema.items ?? {}, known, depth + 1), { maxLength: 3 }),
    string: () => strings,
    integer: () => integers(schema),
    number: () => fc.oneof(integers(schema), numbers),
    boolean: () => fc.boolean()
  }
  return kinds[type]?.() ?? fc.constant(null)
}

const described = (schema: Schema, known: Known, depth: number): fc.Arbitrary<unknown> => {
  if (depth > depthMax) return fc.constantFrom<unknown>(null, "x", 1)
  if (schema.$ref !== undefined) {
    return ofSchema(known[schema.$ref.split("/").at(-1) ?? ""] ?? {}, known, depth + 1)
  }
  if ("const" in schema) return fc.constant(schema.const)
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  // If a schema lists properties, its other keywords only restrict the values further.
  if (schema.properties !== undefined) return objectOf(schema, known, depth)
  const choices = schema.anyOf ?? schema.oneOf ?? schema.allOf ?? []
  if (choices.length > 0) {
    return fc.oneof(...choices.map((each) => ofSchema(each, known, depth + 1)))
  }
  const types = typeof schema.type === "string" ? [schema.type] : (schema.type ?? [])
  if (types.length === 0) return anything
  return fc.oneof(...types.map((type) => ofType(type, schema, known, depth)))
}

/** Generates values for a schema. One value in thirty is arbitrary. */
const ofSchema = (schema: Schema, known: Known, depth = 0): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 29, arbitrary: described(schema, known, depth) },
    { weight: 1, arbitrary: anything }
  )

interface Parameter {
  readonly name: string
  readonly in: string
  readonly schema: Schema
}

interface Operation {
  readonly security?: ReadonlyArray<Readonly<Record<string, unknown>>>
  readonly servers?: ReadonlyArray<{ readonly url: string }>
  readonly parameters?: ReadonlyArray<Parameter>
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: Schema }>>
  }
}

/** The parts of the API description that are used here. */
interface Description {
  readonly servers: ReadonlyArray<{ readonly url: string }>
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

/** An operation, with the parts of its requests that can vary. */
interface Route {
  readonly method: string
  /** The path with parameter names in braces, such as `/v1/presets/{slug}`. */
  readonly path: string
  readonly query: Readonly<Record<string, Schema>>
  /** The content types and schemas of bodies. */
  readonly bodies: ReadonlyArray<readonly [type: string, schema: Schema]>
  /** Whether the operation needs an operator key. */
  readonly isOperators: boolean
}

const methods = ["get", "post", "put", "patch", "delete"] as const

const parametersIn = (operation: Operation, place: string) =>
  Object.fromEntries(
    (operation.parameters ?? []).flatMap((each) =>
      each.in === place ? [[each.name, each.schema]] : []
    )
  )

const rootOf = (servers: Description["servers"] | undefined): string =>
  (servers?.[0]?.url ?? "").replace(/\/$/, "")

/** Lists all operations. */
const routesOf = (description: Description): ReadonlyArray<Route> =>
  Object.entries(description.paths).flatMap(([path, item]) =>
    methods.flatMap((method): ReadonlyArray<Route> => {
      const operation = item[method] as Operation | undefined
      if (operation === undefined) return []
      const own = item.servers as Description["servers"] | undefined
      return [
        {
          method: method.toUpperCase(),
          path: `${rootOf(own ?? description.servers)}${path}`,
          query: parametersIn(operation, "query"),
          bodies: Object.entries(operation.requestBody?.content ?? {}).map(
            ([type, { schema }]) => [type, schema] as const
          ),
          isOperators: (operation.security ?? []).some((each) => "operator" in each)
        }
      ]
    })
  )

/**
 * Messages of refusals that only the server issues, each with the reason why no schema can express
 * its rule.
 */
const unsaid: ReadonlyArray<readonly [rule: RegExp, reason: string]> = [
  [/NUL or a lone surrogate|without NUL/, "a rule for every string, at any depth"],
  [/must name a preset|must not name another preset/, "a rule that relates two fields"],
  [/and not designated or latest/, "two words that are not labels"],
  [/levels of nesting|in the whole document/, "a limit on the whole document"],
  [/characters in total/, "a limit on the sum of all lengths"],
  [
    /needs a tool_search tool|another tool that is not deferred/,
    "a rule that relates several tools"
  ],
  [/URL or file not accessible|Failed to resolve URL/, "the response from the URL decides"],
  [/File or URL required/, "an empty value counts as missing"],
  [/Must be the callback_id of a job/, "a rule for text sent in a header, and a length in bytes"],
  [/Invalid Last-Event-ID/, "only the server knows which cursors it has issued"],
  [/with a letter or a digit/, "a rule for letters of all scripts, after normalization"],
  [/must be in the future/, "only the server knows what time it is"],
  [/must be (?:an instant|a day) such as/, "the calendar, with its months and leap years"],
  [/must be after from|at most 366 days after from/, "a rule that relates two times"],
  [/the version has no field/, "a rule that relates the request to a version"],
  [/Send a filter or 'ids'/, "a rule that relates the body and the query"],
  [/needs a management key/, "a rule that relates a key's kind to its scopes"],
  [/[Mm]ust be the next_cursor of a page/, "only the server knows which cursors it has issued"]
]

/** Matches a message that is sent before validation, because the job in the path does not exist. */
const unjudged = /Request not found/

/** Matches internal details that must not leak: paths, statements and keys. */
const secret = /node_modules|\/packages\/|\bat \S+ \(|SQLITE_|SELECT |INSERT INTO|\.ts:\d+|vbk_/

/** Number of bodies and queries to try for each operation. */
const runs = scaleRuns(60)
const seed = 14

let directory: Awaited<ReturnType<typeof dataDirectory>>
let server: ServerProcess
let description: Description

beforeAll(async () => {
  directory = await dataDirectory()
  server = await ServerProcess.start(directory.path, {
    VERBATIM_BOOTSTRAP_OPERATOR_KEY: operatorKey
  })
  description = (await (await server.request("/openapi.json")).json()) as Description
})

afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await directory[Symbol.asyncDispose]()
})

const makeAjv = () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  ajv.addSchema({ $id: "https://example.com/", components: description.components })
  return (schema: Schema) =>
    ajv.compile(
      JSON.parse(
        JSON.stringify(schema).replaceAll('"#/components', '"https://example.com/#/components')
      )
    )
}

/**
 * Sends a request. Returns whether the server accepts it, and the response, which must not be a
 * server error.
 */
const sendRequest = async (route: Route, query: string, body?: unknown) => {
  const path = route.path
    .replace("{slug}", "verdicts")
    .replace("{label}", "production")
    .replace(/\{\w+\}/g, "1")
  const sent =
    body === undefined
      ? {}
      : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }
  const answer = await server.request(
    `${path}${query}`,
    { method: route.method, ...sent },
    route.isOperators ? operatorKey : managementKey
  )
  // A stream of live events never ends, so its body is not read.
  const isEndless = answer.headers.get("content-type")?.startsWith("text/event-stream") === true
  if (isEndless) await answer.body?.cancel()
  const said = isEndless ? "" : await answer.text()
  const request = `${route.method} ${path}${query}: ${said}`
  assert.isBelow(answer.status, 500, request)
  assert.notMatch(said, secret, request)
  if (answer.status >= 400) assert.doesNotThrow(() => JSON.parse(said), undefined, request)
  return { isAccepted: answer.status !== 400, said }
}

interface Difference {
  readonly request: string
  readonly said: string
}

const compare = (
  isValid: boolean,
  { isAccepted, said }: Awaited<ReturnType<typeof sendRequest>>,
  request: string
): ReadonlyArray<Difference> => {
  if (isValid === isAccepted || unjudged.test(said)) return []
  const isKnown = isValid && unsaid.some(([rule]) => rule.test(said))
  return isKnown
    ? []
    : [{ request: `${request}: the document ${isValid ? "accepts" : "refuses"} it`, said }]
}

describe("the description and the server", () => {
  it("accept and refuse the same bodies", async () => {
    const compile = makeAjv()
    const differences: Array<Difference> = []
    let taken = 0
    for (const route of routesOf(description)) {
      const [, schema] = route.bodies.find(([type]) => type === "application/json") ?? []
      if (schema === undefined) continue
      const isValid = compile(schema)
      for (const body of fc.sample(ofSchema(schema, description.components.schemas), {
        seed,
        numRuns: runs
      })) {
        // Converts the body to the form in which it arrives at the server.
        const sent = JSON.parse(JSON.stringify(body) ?? "null")
        const verdict = isValid(sent)
        if (verdict) taken += 1
        const request = `${route.method} ${route.path} ${JSON.stringify(sent)}`
        differences.push(...compare(verdict, await sendRequest(route, "", sent), request))
      }
    }
    assert.isAbove(taken, runs)
    assert.deepStrictEqual(differences, [])
  })

  it("accept and refuse the same queries", async () => {
    const compile = makeAjv()
    const differences: Array<Difference> = []
    let taken = 0
    for (const route of routesOf(description)) {
      for (const [name, schema] of Object.entries(route.query)) {
        const isValid = compile(schema)
        const others = Object.keys(route.query).filter((each) => each !== name)
        for (const value of fc.sample(ofSchema(schema, description.components.schemas), {
          seed,
          numRuns: 20
        })) {
          const text = (
            typeof value === "string" ? value : (JSON.stringify(value) ?? "")
          ).toWellFormed()
          const asNumber = /^-?\d+$/.test(text) ? Number(text) : text
          const verdict = isValid(asNumber) || isValid(text)
          if (verdict) taken += 1
          // If the operation requires another parameter, a valid value is sent too.
          const isOther = (each: string) => each === "from" || each === "to"
          const beside = others.filter(isOther).map((each): [string, string] => [each, "1"])
          const query = `?${new URLSearchParams([[name, text], ...beside])}`
          const request = `${route.method} ${route.path}${query}`
          // If a request also has a body, the query is tested with a valid body.
          const valid = route.path.endsWith("/actions")
            ? { action: "cancel" }
            : { messages: [], preset: "verdicts" }
          const body = route.bodies.length === 0 ? undefined : valid
          differences.push(...compare(verdict, await sendRequest(route, query, body), request))
        }
      }
    }
    assert.isAbove(taken, 40)
    assert.deepStrictEqual(differences, [])
  })
})
