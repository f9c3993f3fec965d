/**
 * Lanes: operations that programs ask with each of their own requests are answered beside the
 * router. They are described, admitted, measured and answered as all operations are; what the
 * router and the description would read of such a request again and again is known by its path.
 */
import { Context, Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder, type HttpApiEndpoint, HttpApiSecurity } from "effect/http-api"
import type { Admit, Operation } from "../Admission.ts"
import { Caller } from "../Authentication.ts"
import { setRoute } from "../ChosenRoute.ts"
import type { PresetError } from "../ErrorBody.ts"

type Request = HttpServerRequest.HttpServerRequest
type Handled<E, R> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>

/** An operation on what one slug names, and what answers a request without a query. */
export interface Lane {
  readonly group: Operation["group"]
  readonly endpoint: Operation["endpoint"] & Pick<HttpApiEndpoint.Top, "path">
  readonly answer: (slug: string, request: Request) => Handled<PresetError, Caller | Request>
}

/** The parameter that the path of a lane has. */
const parameter = ":slug"

/** A slug that is written as it is meant. The router reads all others. */
const plainSlug = /^[A-Za-z0-9._~@-]+$/

/** Lanes by the method and by what follows the slug; all of them begin alike. */
interface Lanes {
  readonly before: string
  readonly byRest: ReadonlyMap<string, Lane>
}

const toLanes = (lanes: ReadonlyArray<Lane>): Lanes => {
  const [before = ""] = (lanes[0]?.endpoint.path ?? "").split(parameter)
  return {
    before,
    byRest: new Map(
      lanes.map((lane) => [
        lane.endpoint.method + lane.endpoint.path.slice(before.length + parameter.length),
        lane
      ])
    )
  }
}

/** Finds the lane of a request and the slug that it names. */
const findLane = ({ before, byRest }: Lanes, { method, url }: Request) => {
  if (!url.startsWith(before)) return undefined
  const end = url.indexOf("/", before.length)
  const lane = end === -1 ? undefined : byRest.get(method + url.slice(end))
  if (lane === undefined) return undefined
  const slug = url.slice(before.length, end)
  return plainSlug.test(slug) ? { lane, slug } : undefined
}

const readKey = HttpApiBuilder.securityDecode(HttpApiSecurity.bearer)

const toRefusal = (error: PresetError): Handled<never, never> =>
  Effect.succeed(HttpServerResponse.jsonUnsafe(error, { status: error.error.code }))

/** What lanes share with all operations of their API. */
interface Around {
  readonly admit: Admit<PresetError<403>>
  /** Answers what of an operation fails. */
  readonly recover: <E, R>(handled: Handled<E, R>) => Handled<E, Caller | R | Request>
}

/** Puts lanes beside a router that handles all other requests. */
export const besideRouter = (lanes: ReadonlyArray<Lane>, { admit, recover }: Around) => {
  const known = toLanes(lanes)
  return <E, R>(handled: Handled<E, R>): Handled<E, R | Request> =>
    Effect.withFiber((fiber) => {
      const request = Context.getUnsafe(fiber.context, HttpServerRequest.HttpServerRequest)
      const found = findLane(known, request)
      if (found === undefined) return handled
      const { lane, slug } = found
      const { endpoint, group } = lane
      setRoute(request, endpoint.path)
      const admitted = Effect.flatMap(readKey, (credential) =>
        admit({ credential, endpoint, group, label: undefined, request }, (caller) =>
          Effect.provideService(recover(lane.answer(slug, request)), Caller, caller)
        )
      )
      // As the router does it: a client that goes away interrupts an operation.
      return Effect.interruptible(Effect.catch(admitted, toRefusal)) as Handled<E, R | Request>
    })
}
