/**
 * Compares the API description with the server. Requests are generated from the description alone,
 * and both must accept and refuse the same ones. The table below lists the allowed differences and
 * their reasons.
 */
import { scaleRuns } from "@verbatim/testkit/laws"
import { Ajv2020 } from "ajv/dist/2020.js"
import * as fc from "fast-check"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { type Description, ofSchema, type Route, routesOf, type Schema } from "./SchemaValues.ts"
import { dataDirectory, managementKey, operatorKey, ServerProcess } from "./ServerProcess.ts"

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
          // If a request also has a body, the query is tested with a body that every format
          // accepts.
          const body = route.bodies.length === 0 ? undefined : { messages: [], preset: "verdicts" }
          differences.push(...compare(verdict, await sendRequest(route, query, body), request))
        }
      }
    }
    assert.isAbove(taken, 40)
    assert.deepStrictEqual(differences, [])
  })
})
