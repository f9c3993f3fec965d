/**
 * Who sends a request, as the API declares it: the bearer key, the caller it stands for, and how
 * each API refuses a key. `KeyAuthentication` looks keys up, which a client does not need.
 */
import {
  type OperatorKey,
  type Principal,
  type Scope,
  scopes,
  type WorkspaceId
} from "@verbatim/core/workspace"
import { Context } from "effect"
import {
  type HttpApiEndpoint,
  type HttpApiGroup,
  HttpApiMiddleware,
  HttpApiSecurity,
  OpenApi
} from "effect/http-api"
import { PresetErrors, TranscriptionErrors } from "./ErrorBody.ts"
import { SpeechErrors } from "./speech/SpeechErrors.ts"
import { UsageErrors } from "./usage/UsageErrors.ts"
import { KeyErrors, WorkspaceErrors } from "./workspace/WorkspaceErrors.ts"

/** The holder of the key that a request was sent with. */
export class Caller extends Context.Service<Caller, Principal>()(
  "@verbatim/http/Authentication/Caller"
) {}

/** The operator key that a request was sent with. */
export class Operator extends Context.Service<Operator, OperatorKey>()(
  "@verbatim/http/Authentication/Operator"
) {}

/** What the operations of a group are about. A key with a list of scopes calls no other group. */
export const Resource: Context.Reference<ResourceName | undefined> = Context.Reference(
  "@verbatim/http/Authentication/Resource",
  { defaultValue: (): ResourceName | undefined => undefined }
)

/** Whether all operations of a group read, whatever their methods. */
export const Reads: Context.Reference<boolean> = Context.Reference(
  "@verbatim/http/Authentication/Reads",
  { defaultValue: () => false }
)

/**
 * Whether the scope of the label that the path of an operation names will do: beside the usual one,
 * or in its place.
 */
export const LabelScopeRole: Context.Reference<"Beside" | "Instead" | undefined> =
  Context.Reference("@verbatim/http/Authentication/LabelScopeRole", {
    defaultValue: (): "Beside" | "Instead" | undefined => undefined
  })

type ResourceName = "presets" | "transcriptions" | "usage"

/** The scope of the label in a path; without a value, as the description writes it. */
const labelScope = (label = "{label}"): Scope => `labels:${label}`

/**
 * The scopes of which an operation takes one: it reads or writes what its group is about, or it is
 * about a label. None where keys with a list of scopes may not call it.
 */
export const scopesOf = (
  { annotations }: Pick<HttpApiGroup.Top, "annotations">,
  endpoint: Pick<HttpApiEndpoint.Top, "annotations" | "method">,
  label?: string
): ReadonlyArray<Scope> => {
  const ofLabel = Context.get(endpoint.annotations, LabelScopeRole)
  if (ofLabel === "Instead") return [labelScope(label)]
  const resource = Context.get(annotations, Resource)
  const isRead = endpoint.method === "GET" || Context.get(annotations, Reads)
  const name = `${resource}:${isRead ? "read" : "write"}`
  const usual = scopes.filter((scope) => scope === name)
  return ofLabel === "Beside" ? [...usual, labelScope(label)] : usual
}

const makeBearer = (key: string) =>
  HttpApiSecurity.bearer.pipe(
    HttpApiSecurity.annotateMerge(
      OpenApi.annotations({ description: `\`Authorization: Bearer <${key}>\`` })
    )
  )

const bearer = makeBearer("API key")
const operator = makeBearer("operator key")

/** Authentication of the preset operations. */
export class PresetAuthentication extends HttpApiMiddleware.Service<
  PresetAuthentication,
  { provides: Caller }
>()("@verbatim/http/Authentication/PresetAuthentication", {
  security: { bearer },
  error: [PresetErrors[401], PresetErrors[403], PresetErrors[500]]
}) {}

/** Authentication of the transcription operations. */
export class TranscriptionAuthentication extends HttpApiMiddleware.Service<
  TranscriptionAuthentication,
  { provides: Caller }
>()("@verbatim/http/Authentication/TranscriptionAuthentication", {
  security: { bearer },
  error: [TranscriptionErrors[403], TranscriptionErrors[500]]
}) {}

/** Authentication of the operations that programs written for OpenAI call. */
export class SpeechAuthentication extends HttpApiMiddleware.Service<
  SpeechAuthentication,
  { provides: Caller }
>()("@verbatim/http/Authentication/SpeechAuthentication", {
  security: { bearer },
  error: [SpeechErrors[401], SpeechErrors[403], SpeechErrors[500]]
}) {}

/** Authentication of the operations on the keys of one's own workspace. */
export class KeyManagement extends HttpApiMiddleware.Service<KeyManagement, { provides: Caller }>()(
  "@verbatim/http/Authentication/KeyManagement",
  { security: { bearer }, error: [KeyErrors[401], KeyErrors[403], KeyErrors[500]] }
) {}

/** Authentication of the operators' operations. */
export class OperatorAuthentication extends HttpApiMiddleware.Service<
  OperatorAuthentication,
  { provides: Operator }
>()("@verbatim/http/Authentication/OperatorAuthentication", {
  security: { operator },
  error: [WorkspaceErrors[401], WorkspaceErrors[403], WorkspaceErrors[500]]
}) {}

/** Who reads usage. */
export class UsageReader extends Context.Service<
  UsageReader,
  {
    /** Null for an operator, who reads all workspaces. */
    readonly workspaceId: WorkspaceId | null
    readonly userId: string | null
  }
>()("@verbatim/http/Authentication/UsageReader") {}

/** Authentication of the operation on usage, which takes either key. */
export class UsageAuthentication extends HttpApiMiddleware.Service<
  UsageAuthentication,
  { provides: UsageReader }
>()("@verbatim/http/Authentication/UsageAuthentication", {
  security: { bearer, operator },
  error: [UsageErrors[401], UsageErrors[403], UsageErrors[500]]
}) {}
