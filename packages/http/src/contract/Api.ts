/**
 * The whole API as a value: what the server answers, what its OpenAPI document says, and what the
 * client can call.
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

/** The version of the interface. */
export const version = "1.0.0"

/** Where the description of the API is served: as a document, and as a page to read. */
export const documentPaths = { openapi: "/openapi.json", page: "/docs" } as const

/** Where the two APIs begin; what is about the server itself stands above it. */
export const apiRoot = "/v1"

/** The operations of Verbatim. */
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
      description: "Versioned presets and durable transcription jobs.",
      license: { name: "MIT", identifier: "MIT" },
      servers: [{ url: apiRoot, description: "This server." }]
    })
  )
