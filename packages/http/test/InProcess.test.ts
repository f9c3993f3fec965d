/** Requests by the host itself, which are identified without a key and not limited. */
import { assert, layer } from "@effect/vitest"
import { Workspaces } from "@verbatim/core/services"
import { noLimits } from "@verbatim/core/workspace"
import { Authenticator, type Identity, operator, routes, Unauthenticated } from "@verbatim/http"
import { upTo, userId } from "@verbatim/testkit/samples"
import { Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"
import * as Deployed from "./Deployment.ts"

/** A caller and an operator, each within the process and from outside. */
const host = Layer.effect(
  Authenticator,
  Effect.map(Workspaces, (workspaces) => {
    const caller = Effect.gen(function* () {
      const [first] = yield* workspaces.accounts({ after: null, limit: 1 })
      if (first === undefined) return yield* new Unauthenticated({ reason: "Unknown" })
      return {
        kind: "management" as const,
        workspaceId: first.workspace.id,
        userId: userId(7),
        workspaceLimits: { ...noLimits, requestsPerSecond: 1 }
      }
    })
    const inProcess = (identity: Identity): Identity => ({ ...identity, isInProcess: true })
    return {
      identify: ({ request }) => {
        switch (request.headers.cookie) {
          case "caller":
            return caller
          case "caller in process":
            return Effect.map(caller, inProcess)
          case "operator":
            return Effect.succeed(operator)
          case "operator in process":
            return Effect.succeed(inProcess(operator))
          default:
            return Effect.fail(new Unauthenticated({ reason: "Missing" }))
        }
      }
    }
  })
)

const hosted = HttpRouter.serve(routes(), { disableLogger: true, disableListenLog: true }).pipe(
  Layer.provide(host)
)

const statusesOf = Effect.fnUntraced(function* (path: string, cookie: string) {
  const { call } = yield* Deployed.Deployment
  const ask = Effect.map(call(path, { headers: { cookie } }), ({ status }) => status)
  return new Set(yield* Effect.forEach(upTo(32), () => ask, { concurrency: "unbounded" }))
})

const only = (status: number) => new Set([status])

layer(Deployed.layer({}, hosted), { excludeTestServices: true })("a host", (it) => {
  it.effect("sends any number of requests for one caller without reaching a limit", () =>
    Effect.gen(function* () {
      assert.include([...(yield* statusesOf("/v1/presets", "caller"))], 429)
      for (const path of [
        "/v1/presets",
        "/v1/transcriptions",
        "/v1/models",
        "/v1/keys",
        "/v1/usage"
      ]) {
        assert.deepStrictEqual(yield* statusesOf(path, "caller in process"), only(200))
      }
      assert.deepStrictEqual(
        yield* statusesOf("/v1/presets/no/pin", "caller in process"),
        only(404)
      )
    })
  )

  it.effect("acts as an operator without a key in operations for operators", () =>
    Effect.gen(function* () {
      for (const cookie of ["operator", "operator in process"]) {
        assert.deepStrictEqual(yield* statusesOf("/v1/workspaces", cookie), only(200))
        assert.deepStrictEqual(yield* statusesOf("/v1/usage", cookie), only(200))
        assert.deepStrictEqual(yield* statusesOf("/v1/presets", cookie), only(401))
      }
      assert.deepStrictEqual(yield* statusesOf("/v1/workspaces", "caller"), only(401))
      assert.deepStrictEqual(yield* statusesOf("/v1/workspaces", "caller in process"), only(403))
    })
  )
})
