/** Tests requests without a route, which have a wrong method or a wrong path. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Deployment from "./Deployment.ts"
import { nameUnknown, routes, toCall } from "./workspace/Routes.ts"
import { send } from "./workspace/WorkspaceCalls.ts"

const key = Deployment.keys.inference

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"]

/**
 * Returns the methods of all routes that match a path. A literal segment also matches a parameter.
 */
const methodsOf = (path: string): ReadonlySet<string> => {
  const [plain = ""] = path.split("?")
  const found = routes.filter((route) =>
    new RegExp(`^${route.path.replace(/\{\w+\}/g, "[^/]+")}$`).test(plain)
  )
  return new Set(found.map(({ method }) => method))
}

const detailOf = (text: string): string => {
  const { detail, error } = JSON.parse(text)
  return detail ?? error.message
}

layer(Deployment.layer(), { excludeTestServices: true })("a request without a route", (it) => {
  it.effect("is refused with the allowed methods if only its method is wrong", () =>
    Effect.gen(function* () {
      for (const path of new Set(routes.map((route) => toCall(route, nameUnknown("a")).path))) {
        const has = methodsOf(path)
        for (const method of methods.filter((each) => !has.has(each))) {
          const { headers, status, text } = yield* send({ path, method, key })
          assert.deepStrictEqual([status, detailOf(text)], [405, "Method Not Allowed"], path)
          const allowed = headers
            .get("allow")
            ?.split(", ")
            .filter((each) => each !== "HEAD")
          assert.deepStrictEqual(new Set(allowed), has, path)
        }
      }
    })
  )

  const paths = ["/Transcribe", "//transcribe", "/transcribe/x", "/status", "/status/1/srt/x"]
  it.effect("is refused with 404 if its path is unknown", () =>
    Effect.gen(function* () {
      for (const path of paths) {
        for (const method of ["GET", "POST"]) {
          const { status, text } = yield* send({ path, method, key })
          assert.deepStrictEqual([status, detailOf(text)], [404, "Not Found"], path)
        }
      }
    })
  )
})
