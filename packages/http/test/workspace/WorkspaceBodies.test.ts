/**
 * Tests bodies about workspaces and keys at their limits, against the published schemas, and with
 * hostile input.
 */
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Deployment from "../Deployment.ts"
import { ajv, validatorOf } from "../Schemas.ts"
import { workspaceBodies } from "./WorkspaceBodies.ts"
import { broken, fetchJson, issueKey, makeWorkspace, refusalOf } from "./WorkspaceCalls.ts"

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
