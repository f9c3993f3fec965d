import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { json } from "../Bodies.ts"
import * as Deployment from "../Deployment.ts"
import { exchange } from "../Sockets.ts"
import { broken, create, fetchJson, type PresetCall, refusalOf } from "./PresetCalls.ts"

const slugRule = "slug: 1 to 255 of A-Z a-z 0-9 . _ ~ -, and neither . nor .."
const tagRule = "if-match: must be * or a list of entity tags in double quotes"
const pointRule = "must be a version number, a label, designated or latest"
const labelRule =
  "label: a lowercase letter, then at most 62 of a-z 0-9 _ -, and not designated or latest"
const commentRule = "comment: at most 1000 characters, without NUL and halves of characters"
const statuses = "must be one of active, disabled, archived"

const get = (path: string): PresetCall => ({ path })
const post = (slug: string, body: unknown = {}): PresetCall => ({
  path: `/${slug}/responses`,
  json: body
})
const raw = (body: string): PresetCall => ({ path: "/a/responses", ...json(body) })
const session = (length: number): PresetCall => ({
  ...post("a"),
  headers: { "x-session-id": "s".repeat(length) }
})
const patch = (body: unknown): PresetCall => ({ path: "/a", method: "PATCH", json: body })
const put = (body: unknown): PresetCall => ({
  path: "/a/designated-version",
  method: "PUT",
  json: body
})
const ifMatch = (value: string): PresetCall => ({
  ...put({ version: 1 }),
  headers: { "if-match": value }
})

const point = (version: unknown, label = "staging"): PresetCall => ({
  path: `/a/labels/${label}`,
  method: "PUT",
  json: { version }
})
const createWith = (query: string): PresetCall => ({ path: `/a/responses?${query}`, json: {} })

const list = (items: number): string => `{"x":[${"0,".repeat(items - 1)}0]}`

/**
 * A request at the limit, a request just beyond it, and the problem that is reported for the second
 * one.
 */
type Row = readonly [accepted: PresetCall, refused: PresetCall, problem: string]

/** All lists validate `offset` and `limit` by the same rules. */
const pages: ReadonlyArray<Row> = [
  ...["", "/a/versions", "/a/designations", "/a/labels/staging/moves"].map(
    (path): Row => [get(`${path}?limit=100`), get(`${path}?limit=101`), "limit: at most 100"]
  ),
  [get("?limit=1"), get("?limit=0"), "limit: at least 1"],
  [get("?limit=3"), get("?limit=3&limit=3"), "limit: must be sent once"],
  [get("?offset=2147483647"), get("?offset=2147483648"), "offset: at most 2147483647"],
  [get("?limit=1"), get("?limit=0&offset=-1"), "offset: at least 0; limit: at least 1"]
]

const listed: ReadonlyArray<Row> = [
  [get("?status=disabled"), get("?status=DISABLED"), `status: ${statuses}`]
]

const numbers: ReadonlyArray<Row> = [
  [get("/a/versions/1"), get("/a/versions/0"), "version: at least 1"],
  [get("/a/versions/2"), get("/a/versions/2147483648"), "version: at most 2147483647"],
  [get("/a/diff?from=1&to=2"), get("/a/diff?to=2"), "from: required"],
  [
    get("/a/diff?from=designated&to=latest"),
    get("/a/diff?from=1.0&to=latest"),
    `from: ${pointRule}`
  ],
  [get("/a/diff?from=1&to=2&slug=a"), get("/a/diff?from=1&to=2&slug=a+b"), slugRule]
]

const slugs: ReadonlyArray<Row> = [
  [post("s".repeat(255)), post("s".repeat(256)), slugRule],
  [post("..."), post("a;b"), slugRule],
  [get("/a/diff?from=1&to=2"), get("/a+b/diff?from=1&to=2"), slugRule],
  [put({ version: 1 }), { ...put({ version: 1 }), path: "/a%20b/designated-version" }, slugRule]
]

const bodies: ReadonlyArray<Row> = [
  [raw(list(99_998)), raw(list(99_999)), "x[99998]: at most 100000 values in the whole document"],
  [session(256), session(257), "x-session-id: at most 256 characters"],
  [post("a", {}), post("a", []), "body: must be an object"]
]

const changes: ReadonlyArray<Row> = [
  [put({ version: 1 }), put({}), "version: required"],
  [put({ version: 1 }), put({ version: 1, force: true }), "force: unknown property"],
  [patch({ status: "active" }), patch({ status: "deleted" }), `status: ${statuses}`],
  [ifMatch("*"), ifMatch("abc"), tagRule]
]

const labels: ReadonlyArray<Row> = [
  [point("latest"), point("Latest"), `version: ${pointRule}`],
  [point(1), { ...point(1), json: { version: 1, force: 1 } }, "force: unknown property"],
  [point(1, "l".repeat(63)), point(1, "l".repeat(64)), labelRule],
  [get("/a/labels/staging"), get("/a+b/labels/staging"), slugRule],
  [get("?label=z"), get("?label=Z"), labelRule],
  [
    get("/a/pin?label=latest"),
    get("/a/pin?label=1"),
    "label: must be a label, designated or latest"
  ],
  [
    get(`?text=${"%F0%9F%98%80".repeat(200)}`),
    get(`?text=${"t".repeat(201)}`),
    "text: at most 200 characters, without NUL and halves of characters"
  ]
]

const queries: ReadonlyArray<Row> = [
  [createWith("stage=true"), createWith("stage=yes"), "stage: must be true or false, once"],
  [
    createWith(`stage=true&comment=${"%F0%9F%98%80".repeat(1000)}`),
    createWith(`comment=${"c".repeat(1001)}`),
    commentRule
  ],
  [createWith("stage=true&comment="), createWith("dry_run=true&comment=%00"), commentRule],
  [
    createWith("stage=true&comment=a"),
    createWith("comment=a&comment=b"),
    "comment: must be sent once"
  ]
]

const tables = { queries, labels, pages, listed, numbers, slugs, bodies, changes }

const lineOf = ({ json: body, method = "GET", path }: PresetCall): string =>
  `${method} ${path} ${JSON.stringify(body) ?? ""}`.slice(0, 80).trim()

layer(Deployment.layer(), { excludeTestServices: true })("a request about presets", (it) => {
  it.effect("can create a second version of a preset", () =>
    Effect.gen(function* () {
      yield* create("a")
      const { status } = yield* create("a")
      assert.strictEqual(status, 200)
    })
  )

  it.effect("needs a management key to create a preset, even if it has other errors", () =>
    Effect.gen(function* () {
      const key = Deployment.keys.inference
      const refusal = [403, "Only management keys can perform this operation"]
      for (const call of [post("a%20b"), raw("{"), createWith("stage=maybe")]) {
        assert.deepStrictEqual(refusalOf(yield* fetchJson({ ...call, key })), refusal)
      }
      assert.strictEqual((yield* fetchJson(get("/b"))).status, 404)
    })
  )

  for (const slug of [".", "..", "%2e", ".%2E"]) {
    it.effect(`cannot use the slug ${slug}, which clients may resolve as a path`, () =>
      Effect.gen(function* () {
        const { port } = yield* Deployment.Deployment
        const head = [
          `POST /v1/presets/${slug}/responses HTTP/1.1`,
          "host: localhost",
          `authorization: Bearer ${Deployment.keys.management}`,
          "content-type: application/json",
          "content-length: 2"
        ]
        const answer = yield* exchange(port, [`${head.join("\r\n")}\r\n\r\n{}`])
        assert.match(answer, /^HTTP\/1.1 400 /)
        assert.include(answer, slugRule)
      })
    )
  }

  for (const [name, rows] of Object.entries(tables)) {
    for (const [index, [accepted, refused, problem]] of rows.entries()) {
      it.effect(
        `cannot exceed the limit of ${name} (${index + 1}): ${lineOf(refused)}: ${problem}`,
        () =>
          Effect.gen(function* () {
            const last = yield* fetchJson(accepted)
            const first = yield* fetchJson(refused)
            assert.strictEqual(last.status, 200, JSON.stringify(last.body).slice(0, 500))
            assert.deepStrictEqual(refusalOf(first), broken(problem))
          })
      )
    }
  }
})
