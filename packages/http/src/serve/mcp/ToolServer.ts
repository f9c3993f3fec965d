/**
 * Builds Effect's MCP server with our tools. The server has no sessions, and supports only the
 * current version of MCP.
 */
import { Cause, Context, Effect, Layer } from "effect"
import * as McpProtocol from "effect/ai/McpProtocol"
import * as McpSchema from "effect/ai/McpSchema"
import * as McpServer from "effect/ai/McpServer"
import { HttpServerRequest } from "effect/http"
import { mcpPath } from "../../contract/Api.ts"
import { unexpectedMessage } from "../../contract/Errors.ts"
import type { FailureLog } from "../edge/FailureLog.ts"
import { handleAlone } from "../edge/Mount.ts"
import { type Fetch, makeCallApi, pickCredentials, type ToolResult } from "./ApiCalls.ts"
import { server } from "./OlderProtocols.ts"
import { makeTools, type Tool } from "./Tools.ts"

const toCallResult = ({ isError = false, texts }: ToolResult) =>
  new McpSchema.CallToolResult({
    isError,
    content: texts.map((text) => McpSchema.TextContent.make({ text }))
  })

/** The functions of this process that tools use. */
interface ToolServices {
  readonly fetch: Fetch
  readonly log: FailureLog["Service"]
}

/** Runs a tool with the credentials of the message that calls it. */
const runTool = ({ run }: Tool, { fetch, log }: ToolServices) => {
  const fail = (
    cause: Cause.Cause<never>
  ): Effect.Effect<ToolResult, never, HttpServerRequest.HttpServerRequest> =>
    Cause.hasInterruptsOnly(cause)
      ? Effect.failCause(cause)
      : Effect.as(log.report({ what: "A tool failed", cause }), {
          texts: [unexpectedMessage],
          isError: true
        })
  return (given: unknown): Effect.Effect<McpSchema.CallToolResult> =>
    Effect.withFiber(({ context }) => {
      const request = Context.getUnsafe(context, HttpServerRequest.HttpServerRequest)
      const call = makeCallApi(fetch, pickCredentials(request.headers))
      return run(call, { ...Object(given) }).pipe(
        Effect.catchTag("InvalidArgument", ({ message }) =>
          Effect.succeed<ToolResult>({ texts: [message], isError: true })
        ),
        Effect.catchCause(fail),
        Effect.map(toCallResult),
        Effect.provideService(HttpServerRequest.HttpServerRequest, request)
      )
    })
}

const registerTools = (services: ToolServices) =>
  Layer.effectDiscard(
    Effect.flatMap(McpServer.McpServer, (registry) =>
      Effect.forEach(
        makeTools(),
        (tool) =>
          registry.addTool({
            tool: new McpSchema.Tool({
              name: tool.name,
              description: tool.description,
              inputSchema: tool.inputSchema,
              annotations: { readOnlyHint: tool.isRead, destructiveHint: false }
            }),
            annotations: Context.empty(),
            handle: runTool(tool, services)
          }),
        { discard: true }
      )
    )
  )

/** Builds the MCP server over the API. */
export const build = (services: ToolServices) =>
  Effect.orDie(
    handleAlone(
      McpServer.layerHttpRequestScoped({
        ...server,
        path: mcpPath,
        protocols: [McpProtocol.v2026_07_28],
        registrations: registerTools(services)
      })
    )
  )
