/** The API for hosts of `Request` and `Response`: Hono, Next, SvelteKit, Bun, Deno. */
import { Effect, Fiber, type Scope } from "effect"
import { HttpEffect, type HttpServerRequest } from "effect/http"
import type { Mounted } from "./Mounted.ts"

/** Answers a request. It never rejects, and stops working when the request is aborted. */
export type Fetch = (request: Request) => Promise<Response>

/** What each request brings with it. */
type Needed = HttpServerRequest.HttpServerRequest | Scope.Scope

/** Makes what answers every request that a host hands to it, whatever its path. */
export const toFetch = ({ answer, context, scope }: Mounted): Fetch => {
  const handle = HttpEffect.toWebHandlerWith<never, Needed>(context)(
    Effect.withFiber((fiber) => {
      Fiber.runIn(fiber, scope)
      return answer
    })
  )
  // Hosts give more than the request: bindings, parameters of the route.
  return (request) => handle(request)
}
