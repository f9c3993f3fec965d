import { assert, layer } from "@effect/vitest"
import { boundaries } from "@verbatim/testkit/samples"
import { Effect } from "effect"
import * as Deployment from "../Deployment.ts"
import { presetBodies } from "./PresetBodies.ts"
import { ask, broken, read, refusalOf } from "./PresetCalls.ts"

layer(Deployment.layer(), { excludeTestServices: true })("the body of a preset", (it) => {
  for (const { route, rows } of presetBodies) {
    for (const [index, { accepted, problem, refused }] of rows.entries()) {
      it.effect(`${route} ${index + 1}: ${problem}`, () =>
        Effect.gen(function* () {
          const last = yield* ask({ path: `/accepted/${route}`, json: accepted })
          const first = yield* ask({ path: `/refused/${route}`, json: refused })
          assert.strictEqual(last.status, 200, JSON.stringify(last.body).slice(0, 500))
          assert.deepStrictEqual(refusalOf(first), broken(problem))
        })
      )
    }
  }

  it.effect("makes a version each time that it is accepted, and none when it is refused", () =>
    Effect.gen(function* () {
      const count = presetBodies.reduce((sum, { rows }) => sum + rows.length, 0)
      const { body } = yield* read("/accepted/versions?limit=1")
      const { status } = yield* read("/refused")
      assert.isAtLeast(boundaries.length, 150)
      assert.deepStrictEqual([body.total_count, status], [count, 404])
    })
  )
})
