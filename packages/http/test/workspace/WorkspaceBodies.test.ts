/**
 * Tests bodies about workspaces and keys at their limits, against the published schemas, and with
 * hostile input.
 */
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Deployment from "../Deployment.ts"
import { ajv, validatorOf } from "../Schemas.ts"
import { broken, fetchJson, issueKey, makeWorkspace, refusalOf } from "./WorkspaceCalls.ts"

const long = "😀".repeat(255)

const names = (field: string, rest: object = {}): ReadonlyArray<Row> => [
  [{ ...rest, [field]: "x" }, { ...rest, [field]: "" }, `${field}: must not be empty`],
  [{ ...rest, [field]: long }, { ...rest, [field]: `${long}a` }, `${field}: at most 255 characters`]
]

const retention = (days: string): ReadonlyArray<Row> => {
  const path = `retention.${days}`
  const of = (value: unknown) => ({ retention: { [days]: value } })
  return [[of(36_500), of(36_501), `${path}: at most 36500`]]
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => `${index}`)

/** Bodies at the limits of a workspace's list of keywords. */
const keywords: ReadonlyArray<Row> = [
  [{ keywords: ["Zoë Baker"] }, { keywords: "Zoë" }, "keywords: must be an array or null"],
  [{ keywords: numbers(100) }, { keywords: numbers(101) }, "keywords: at most 100 keywords"]
]

const limits = (given: unknown) => ({ limits: given })

/** Bodies that set limits, in the same form for workspaces and keys. */
const limitRows: ReadonlyArray<Row> = [
  [
    limits({ requests_per_second: 100_000 }),
    limits({ requests_per_second: 100_001 }),
    "limits.requests_per_second: at most 100000"
  ],
  [limits({}), limits({ jobs: 1 }), "limits.jobs: unknown property"]
]

/**
 * A body at a limit, a body just beyond it, and the problem that is reported for the second one.
 */
type Row = readonly [
  accepted: object,
  refused: unknown,
  problem: string,
  /** The reason why a JSON Schema cannot express the rule. */
  unsaid?: string
]

const uuid = "0194246d-2f2e-4c5d-9e6f-7a8b9c0d1e2f"
const instantRule = "expires_at: must be an instant such as 2030-01-02T03:04:05Z"
const ofText = "must not contain NUL or a lone surrogate"
const everywhere = "a rule for every string, at any depth"
const calendar = "a pattern cannot check calendar dates"
const kind = { kind: "management" }
const expiring = (expires_at: unknown) => ({ ...kind, expires_at })

/**
 * For each schema, the operation that receives the bodies, and the bodies. `{id}` stands for a
 * workspace.
 */
const workspaceBodies: ReadonlyArray<{
  readonly schema: string
  readonly method: string
  readonly path: string
  readonly rows: ReadonlyArray<Row>
}> = [
  {
    schema: "WorkspaceOrder",
    method: "POST",
    path: "/workspaces",
    rows: [
      [{ name: "x" }, {}, "name: required"],
      [{ name: "x" }, [], "body: must be an object"],
      ...names("name"),
      [
        { name: "x", external_id: null },
        { name: "x", external_id: "" },
        "external_id: must not be empty"
      ],
      [{ name: "x" }, { name: "x", externalId: "y" }, "externalId: unknown property"],
      [{ name: "x" }, { name: "a\0b" }, `name: ${ofText}`, everywhere],
      [
        { name: "x" },
        { name: "", external_id: 1, other: 2 },
        "name: must not be empty; external_id: must be a string or null; other: unknown property"
      ]
    ]
  },
  {
    schema: "WorkspaceChange",
    method: "PATCH",
    path: "/workspaces/{id}",
    rows: [
      ...names("name"),
      [{ status: "disabled" }, { status: "deleting" }, "status: must be active or disabled"],
      ...limitRows,
      [{}, { external_id: "x" }, "external_id: unknown property"],
      ...keywords,
      ...retention("media_days")
    ]
  },
  {
    schema: "Credit",
    method: "POST",
    path: "/workspaces/{id}/credits",
    rows: [
      [{ minutes: 1e7 }, { minutes: 1e7 + 0.001 }, "minutes: at most 10000000"],
      [{ minutes: 0 }, { minutes: "1" }, "minutes: must be a number"],
      [{ minutes: 1, credit_id: uuid }, { minutes: 1, credit_id: "x" }, "credit_id: must be a UUID"]
    ]
  },
  {
    schema: "KeyOrder",
    method: "POST",
    path: "/workspaces/{id}/keys",
    rows: [
      [kind, {}, "kind: required"],
      [{ kind: "inference" }, { kind: "operator" }, "kind: must be management or inference"],
      ...names("name", kind),
      ...names("user", kind),
      [{ ...kind, scopes: ["usage:read"] }, { ...kind, scopes: [] }, "scopes: at least 1 scope"],
      [
        { ...kind, scopes: null },
        { ...kind, scopes: ["presets:*"] },
        "scopes[0]: must be one of presets:read, presets:write, transcriptions:read, " +
          "transcriptions:write, usage:read, " +
          "or labels: and the name of a label"
      ],
      [
        { ...kind, scopes: ["presets:read", "presets:write"] },
        { ...kind, scopes: ["presets:read", "presets:read"] },
        "scopes: must not name a scope twice"
      ],
      [kind, { ...kind, token: "x" }, "token: unknown property"],
      [expiring("2999-01-02T03:04:05Z"), expiring("2999-01-02"), instantRule],
      [expiring("2996-02-29T00:00:00Z"), expiring("2999-02-29T00:00:00Z"), instantRule, calendar],
      [
        expiring("2999-01-02T03:04:05Z"),
        expiring("1999-01-02T03:04:05Z"),
        "expires_at: must be in the future",
        "a schema does not know the time"
      ],
      [
        { kind: "inference", scopes: ["presets:read"] },
        { kind: "inference", scopes: ["presets:write"] },
        "scopes: presets:write needs a management key",
        "a rule that relates two fields"
      ]
    ]
  },
  {
    schema: "KeyRotation",
    method: "POST",
    path: "/workspaces/{id}/keys/{key_id}/rotate",
    rows: [
      [{ overlap_seconds: 0 }, { overlap_seconds: -1 }, "overlap_seconds: at least 0"],
      [
        { overlap_seconds: 2_592_000 },
        { overlap_seconds: 2_592_001 },
        "overlap_seconds: at most 2592000"
      ],
      [{}, { overlap_seconds: 1.5 }, "overlap_seconds: must be an integer"],
      [{}, { overlap: 1 }, "overlap: unknown property"]
    ]
  }
]

for (const { rows, schema } of workspaceBodies) {
  describe(`the published ${schema}`, () => {
    const isValid = validatorOf(schema)
    it("accepts and refuses the same bodies as the server", () => {
      for (const [accepted, refused, problem, unsaid] of rows) {
        assert.isTrue(isValid(accepted), `${problem}: ${ajv.errorsText(isValid.errors)}`)
        assert.strictEqual(isValid(refused), unsaid !== undefined, problem)
      }
    })
  })
}

/** Fills the parameters of a path with a new workspace and a new key. */
const fill = Effect.fnUntraced(function* (path: string) {
  if (!path.includes("{id}")) return path
  const id = yield* makeWorkspace("bodies")
  const { id: keyId } = yield* issueKey(id, { kind: "inference" })
  return path.replace("{id}", id).replace("{key_id}", keyId)
})

layer(Deployment.layer(), { excludeTestServices: true })("a body", (it) => {
  for (const { method, path, rows, schema } of workspaceBodies) {
    for (const [accepted, refused, problem] of rows) {
      it.effect(`matches ${schema} or is refused: ${problem}`, () =>
        Effect.gen(function* () {
          const filled = yield* fill(path)
          const { status, text } = yield* fetchJson({ path: filled, method, json: accepted })
          assert.strictEqual(status, 200, text)
          const call = { path: filled, method, json: refused }
          assert.deepStrictEqual(yield* refusalOf(call), broken(problem))
        })
      )
    }
  }

  it.effect("is validated before the workspace or the key in the path is looked up", () =>
    Effect.gen(function* () {
      for (const { method, path } of workspaceBodies) {
        const filled = path.replaceAll(/\{\w+\}/g, "1")
        const { body, status } = yield* fetchJson({ path: filled, method, json: { unknown: 1 } })
        assert.strictEqual(status, 400)
        assert.include(body.error.message, "unknown: unknown property")
      }
    })
  )
})
