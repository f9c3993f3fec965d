/**
 * Serves the tools for agents at `POST /mcp`, with Effect's `McpServer` and without sessions. A
 * message needs the same credentials as a request to the API.
 */
import { ExactNumber } from "@verbatim/core/schema"
import { Context, Effect, Predicate, Scope } from "effect"
import { HttpEffect, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder, HttpApiSecurity } from "effect/http-api"
import { mcpPath } from "../../contract/Api.ts"
import { McpAdmission } from "../auth/Authentication.ts"
import { readBody } from "../body/Body.ts"
import { makeErrorAnswer } from "../edge/ErrorAnswer.ts"
import { FailureLog } from "../edge/FailureLog.ts"
import { ServesMcp } from "../edge/Mount.ts"
import { RequestNotes } from "../edge/RequestLogging.ts"
import { type Fetch, origin, pickCredentials } from "./ApiCalls.ts"
import * as OlderProtocols from "./OlderProtocols.ts"

const answerJson = (status: number, message: object) =>
  HttpServerResponse.jsonUnsafe({ jsonrpc: "2.0", ...message }, { status })

const refuseMessage = (code: number, message: string, id: unknown = null) =>
  answerJson(code === notFound ? 200 : 400, { id, error: { code, message } })

// Error codes of JSON-RPC.
const unreadable = -32_700
const invalid = -32_600
const notFound = -32_601
const invalidParameters = -32_602

type Request = HttpServerRequest.HttpServerRequest

/** Passes a message in the current version to the MCP server. */
const pass = (handle: Fetch, message: object, headers: Record<string, string>) =>
  Effect.map(
    Effect.promise((signal) => {
      const accept = "application/json, text/event-stream"
      return handle(
        new Request(origin + mcpPath, {
          method: "POST",
          headers: { ...headers, accept, "content-type": "application/json" },
          body: JSON.stringify(message),
          signal
        })
      )
    }),
    HttpServerResponse.fromWeb
  )

/** Picks the headers that the MCP server checks. */
const pickRouting = ({ headers }: Request): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith("mcp-")))

/** An admitted message, and the id of its request. */
interface Admitted {
  readonly message: OlderProtocols.Message
  readonly request: Request
  readonly requestId: string | undefined
}

const answerMessage = (handle: Fetch, { message, request, requestId }: Admitted) => {
  const credentials = pickCredentials(request.headers, requestId)
  if (OlderProtocols.statesVersion(message)) {
    return pass(handle, message, { ...credentials, ...pickRouting(request) })
  }
  const converted = OlderProtocols.convert(message)
  switch (converted._tag) {
    case "Notification":
      return Effect.succeed(HttpServerResponse.empty({ status: 202 }))
    case "Answer":
      return Effect.succeed(answerJson(200, { id: message.id, result: converted.result }))
    case "Nameless": {
      const rule = "'name' must be the name of a tool"
      return Effect.succeed(refuseMessage(invalidParameters, rule, message.id))
    }
    case "Unknown":
      return Effect.succeed(refuseMessage(notFound, "Method not found", message.id))
    case "Current": {
      const routing = OlderProtocols.toRoutingHeaders(converted.message)
      return pass(handle, converted.message, { ...credentials, ...routing })
    }
  }
}

const bearer = HttpApiBuilder.securityDecode(HttpApiSecurity.bearer)

type Requirements = HttpServerRequest.HttpServerRequest | Scope.Scope

/** Creates the handler of messages, which builds the MCP server when the first message arrives. */
const makeHandler = Effect.fnUntraced(function* (router: HttpRouter.HttpRouter) {
  const { admit } = yield* McpAdmission
  const log = yield* FailureLog
  const context = yield* Effect.context<never>()
  const scope = yield* Effect.scope
  const toFetch = HttpEffect.toWebHandlerWith<never, Requirements>(context)
  // When the first message arrives, the router already has all its routes and middleware.
  const fetch: Fetch = (request) => toFetch(router.asHttpEffect())(request)
  const getServer = yield* Effect.cached(
    // The MCP server is imported on first use, because loading it takes 100 ms and 8 MB.
    Effect.promise(() => import("./ToolServer.ts")).pipe(
      Effect.flatMap(({ build }) => build({ fetch, log })),
      Effect.map((handled): Fetch => toFetch(handled)),
      Effect.provideContext(Context.add(context, Scope.Scope, scope))
    )
  )
  return Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const credential = yield* bearer
    const requestId = (yield* RequestNotes)?.id
    return yield* admit({ credential, request }, (count) =>
      Effect.matchEffect(readBody(request), {
        onFailure: ({ message }) => Effect.succeed(refuseMessage(unreadable, message)),
        onSuccess: (body) => {
          const message = ExactNumber.toNumbers(body)
          if (!Predicate.isObject(message)) {
            return Effect.succeed(refuseMessage(invalid, "A message must be one object"))
          }
          const answered = Effect.flatMap(getServer, (handle) =>
            answerMessage(handle, { message, request, requestId })
          )
          return message.method === "tools/call" ? answered : count(answered)
        }
      })
    )
  })
})

/**
 * Refuses methods other than POST, and requests from web pages, because a page could use a session
 * of the host (MCP, transports, security).
 */
const findRefusal = ({ headers, method, url }: Request) => {
  if (headers.origin !== undefined) {
    return makeErrorAnswer(url, { status: 403, message: "Web pages cannot use MCP" })
  }
  if (method === "POST") return undefined
  const refusal = makeErrorAnswer(url, { status: 405, message: "Method Not Allowed" })
  return HttpServerResponse.setHeader(refusal, "allow", "POST")
}

/** Adds the route if the server offers the API to agents. */
export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    if (!(yield* ServesMcp)) return
    const handler = yield* makeHandler(router)
    yield* router.add(
      "*",
      mcpPath,
      Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
        const refusal = findRefusal(request)
        return refusal === undefined ? handler : Effect.succeed(refusal)
      })
    )
  })
)
