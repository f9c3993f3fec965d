/** Bodies about workspaces and keys: their limits, their description, and hostile ones. */
import { assert, describe, it, layer } from "@effect/vitest"
import { chooseCases } from "@verbatim/testkit/laws"
import { Effect } from "effect"
import { json } from "../Bodies.ts"
import * as Deployment from "../Deployment.ts"
import { raw, unreadable } from "../preset/HostileBodies.ts"
import { ajv, validatorOf } from "../Schemas.ts"
import { workspaceBodies } from "./WorkspaceBodies.ts"
import {
  ask,
  broken,
  issueKey,
  makeTenant,
  makeWorkspace,
  refusalOf,
  send
} from "./WorkspaceCalls.ts"

for (const { rows, schema } of workspaceBodies) {
  describe(`the published ${schema}`, () => {
    const isValid = validatorOf(schema)
    it("accepts and refuses what the server does", () => {
      for (const [accepted, refused, problem, unsaid] of rows) {
        assert.isTrue(isValid(accepted), `${problem}: ${ajv.errorsText(isValid.errors)}`)
        assert.strictEqual(isValid(refused), unsaid !== undefined, problem)
      }
    })
  })
}

/** The path of an operation on a new workspace and its key. */
const fill = Effect.fnUntraced(function* (path: string) {
  if (!path.includes("{id}")) return path
  const id = yield* makeWorkspace("bodies")
  const { id: keyId } = yield* issueKey(id, { kind: "inference" })
  return path.replace("{id}", id).replace("{key_id}", keyId)
})

layer(Deployment.layer(), { excludeTestServices: true })("a body", (it) => {
  for (const { method, path, rows, schema } of workspaceBodies) {
    for (const [accepted, refused, problem] of rows) {
      it.effect(`is a ${schema} or refused: ${problem}`, () =>
        Effect.gen(function* () {
          const filled = yield* fill(path)
          const { status, text } = yield* ask({ path: filled, method, json: accepted })
          assert.strictEqual(status, 200, text)
          const call = { path: filled, method, json: refused }
          assert.deepStrictEqual(yield* refusalOf(call), broken(problem))
        })
      )
    }
  }

  it.effect("is judged before what it is about", () =>
    Effect.gen(function* () {
      for (const { method, path } of workspaceBodies) {
        const filled = path.replaceAll(/\{\w+\}/g, "1")
        const { body, status } = yield* ask({ path: filled, method, json: { unknown: 1 } })
        assert.strictEqual(status, 400)
        assert.include(body.error.message, "unknown: unknown property")
      }
    })
  )
})

const [order, ...others] = workspaceBodies

/** They read bodies with the same function: of the others one is enough in `npm test`. */
const chosenBodies = [order, ...chooseCases(others, others.length)].flatMap((each) => each ?? [])

layer(Deployment.layer(), { excludeTestServices: true })("a hostile body", (it) => {
  for (const [what, call, rule] of unreadable) {
    it.effect(`is refused where workspaces and keys are made: ${what}: ${rule}`, () =>
      Effect.gen(function* () {
        for (const { method, path } of chosenBodies) {
          const filled = path.replaceAll(/\{\w+\}/g, "1")
          const { body, status, text } = yield* ask({ path: filled, method, ...call })
          const [, problems = ""] = body.error.message.split("Invalid request parameters: ")
          assert.strictEqual(status, 400, text)
          assert.isNull(body.user_id)
          // An operation may miss something of its own besides.
          assert.include(`; ${problems}; `, `; ${rule}; `)
        }
      })
    )
  }

  it.effect("is refused where a workspace makes its own keys, with the user", () =>
    Effect.gen(function* () {
      const { inference, management } = yield* makeTenant("own")
      const [, call, rule] = unreadable[0] ?? ["", {}, ""]
      for (const path of ["/keys", `/keys/${inference.id}/rotate`]) {
        const { body } = yield* ask({ path, method: "POST", key: management.token, ...call })
        assert.deepStrictEqual(body, {
          error: { code: 400, message: `Invalid request parameters: ${rule}` },
          gateway_metadata: null,
          user_id: management.user_id
        })
      }
    })
  )

  it.effect("is data, whatever its names are", () =>
    Effect.gen(function* () {
      const sent = '{"__proto__":{"name":"x"},"constructor":1,"name":"a","name":"b"}'
      const { body } = yield* ask({ path: "/workspaces", ...raw(sent) })
      assert.include(body.error.message, "__proto__: unknown property")
      assert.include(body.error.message, "constructor: unknown property")
      const last = yield* ask({ path: "/workspaces", ...raw('{"name":"a","name":"b"}') })
      assert.strictEqual(last.body.data.name, "b")
    })
  )

  it.effect("leaves nothing behind", () =>
    Effect.gen(function* () {
      const { body } = yield* ask({ path: "/workspaces" })
      assert.deepStrictEqual(
        body.data.map(({ name }: { readonly name: string }) => name),
        ["default", "own", "b"]
      )
    })
  )

  it.effect("is not read where an operation takes none", () =>
    Effect.gen(function* () {
      const id = yield* makeWorkspace("no body")
      const { status, text } = yield* send({
        path: `/workspaces/${id}`,
        method: "DELETE",
        ...json("{".repeat(100))
      })
      assert.strictEqual(status, 200, text)
    })
  )
})
