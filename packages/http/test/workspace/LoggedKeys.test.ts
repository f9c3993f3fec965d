/** Tests that the log line of a request names the key, even if the request was refused. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Logger, References } from "effect"
import * as Deployment from "../Deployment.ts"
import { issueKey, makeTenant, send } from "./WorkspaceCalls.ts"

/** The annotations of each log line. */
const lines: Array<Readonly<Record<string, unknown>>> = []

const logger = Logger.make(({ fiber }) => {
  lines.push(fiber.getRef(References.CurrentLogAnnotations))
})

const logged = Deployment.layer({ isLogged: true }).pipe(Layer.provideMerge(Logger.layer([logger])))

/** Lists the keys in the log lines of a route's requests with this status. */
const keysOf = (route: string, status: number) =>
  lines.filter((line) => line.route === route && line.status === status).map(({ key }) => key)

layer(logged, { excludeTestServices: true })("a request's log line", (it) => {
  it.effect("names the key that lacks a scope", () =>
    Effect.gen(function* () {
      const { id } = yield* makeTenant("narrow")
      const key = yield* issueKey(id, { kind: "management", scopes: ["presets:write"] })
      yield* send({ path: "/presets", key: key.token })
      yield* send({ path: "/usage", key: key.token })
      assert.deepStrictEqual(keysOf("/v1/presets", 403), [key.id])
      assert.deepStrictEqual(keysOf("/v1/usage", 403), [key.id])
    })
  )

  it.effect("names the key that reads usage", () =>
    Effect.gen(function* () {
      const { management } = yield* makeTenant("read")
      yield* send({ path: "/usage", key: management.token })
      yield* send({ path: "/usage" })
      const [own, operator] = keysOf("/v1/usage", 200)
      assert.strictEqual(own, management.id)
      assert.isString(operator)
    })
  )
})
