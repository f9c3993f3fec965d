/**
 * The whole API as one value, from which the server, the OpenAPI document and the client are
 * derived.
 */
import { HttpApi, OpenApi } from "effect/http-api"
import { LabelApi, WorkspaceLabelApi } from "./preset/LabelApi.ts"
import { PresetApi } from "./preset/PresetApi.ts"
import { ResolutionApi } from "./preset/ResolutionApi.ts"
import { SpeechApi } from "./SpeechApi.ts"
import { SystemApi } from "./SystemApi.ts"
import { CorrectionsApi } from "./transcription/CorrectionsApi.ts"
import { EventsApi } from "./transcription/EventsApi.ts"
import { JobsApi } from "./transcription/JobsApi.ts"
import { TranscriptionApi } from "./transcription/TranscriptionApi.ts"
import { UsageApi } from "./UsageApi.ts"
import { WorkApi } from "./WorkApi.ts"
import { KeyApi, WorkspaceKeyApi } from "./workspace/KeyApi.ts"
import { WorkspaceApi } from "./workspace/WorkspaceApi.ts"

export const version = "1.0.0"

/** Paths of the API documentation: the OpenAPI document and the HTML page. */
export const documentPaths = { openapi: "/openapi.json", page: "/docs" } as const

/**
 * The MCP path. The document omits this path, because MCP clients request the list of tools over
 * MCP.
 */
export const mcpPath = "/mcp" as const

/**
 * Path prefix for the preset and transcription APIs; routes for the server itself have no prefix.
 */
export const apiRoot = "/v1"

export const Api = HttpApi.make("verbatim")
  .add(
    PresetApi,
    LabelApi,
    ResolutionApi,
    TranscriptionApi,
    JobsApi,
    CorrectionsApi,
    EventsApi,
    SpeechApi,
    KeyApi,
    WorkspaceApi,
    WorkspaceKeyApi,
    WorkspaceLabelApi,
    UsageApi,
    WorkApi,
    SystemApi
  )
  .annotateMerge(
    OpenApi.annotations({
      title: "Verbatim",
      version,
      description:
        "Versioned presets and durable transcription jobs. Clients whose `Accept` header names " +
        "`application/problem+json` get errors as problem details (RFC 9457).",
      license: { name: "MIT", identifier: "MIT" },
      servers: [{ url: apiRoot, description: "This server." }]
    })
  )
