/**
 * Authentication as the API declares it: who may call the operations of a group, and in which
 * family of errors it refuses everyone else. `serve/auth` answers for all of them.
 */
import { type Principal, type Scope, scopes, type WorkspaceId } from "@verbatim/core/workspace"
import { Context, type Schema } from "effect"
import {
  type HttpApiEndpoint,
  type HttpApiGroup,
  HttpApiMiddleware,
  HttpApiSecurity,
  OpenApi
} from "effect/http-api"
import {
  KeyErrors,
  PresetErrors,
  SpeechErrors,
  TranscriptionErrors,
  UsageErrors,
  WorkspaceErrors
} from "./Errors.ts"

/** The holder of the key that a request was sent with. */
export class Caller extends Context.Service<Caller, Principal>()(
  "@verbatim/http/Authentication/Caller"
) {}

/** The sender of a request: a caller, or an operator, who is a user of no workspace. */
export class Sender extends Context.Service<
  Sender,
  { readonly workspaceId: WorkspaceId | null; readonly userId: string | null }
>()("@verbatim/http/Authentication/Sender") {}

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
export const LabelScopeRole: Context.Reference<"Alternative" | "Only" | undefined> =
  Context.Reference("@verbatim/http/Authentication/LabelScopeRole", {
    defaultValue: (): "Alternative" | "Only" | undefined => undefined
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
  if (ofLabel === "Only") return [labelScope(label)]
  const resource = Context.get(annotations, Resource)
  const isRead = endpoint.method === "GET" || Context.get(annotations, Reads)
  const name = `${resource}:${isRead ? "read" : "write"}`
  const usual = scopes.filter((scope) => scope === name)
  return ofLabel === "Alternative" ? [...usual, labelScope(label)] : usual
}

const makeBearer = (key: string) =>
  HttpApiSecurity.bearer.pipe(
    HttpApiSecurity.annotateMerge(
      OpenApi.annotations({ description: `\`Authorization: Bearer <${key}>\`` })
    )
  )

const bearer = makeBearer("API key")
const operator = makeBearer("operator key")

/** The form in which an operation writes its refusals and failures. */
export type Family = "openai" | "operator" | "preset" | "transcription"

/** The keys that the operations of each kind of callers take. */
const security = {
  /** Keys of a workspace with the scope of the operation. */
  Workspace: { bearer },
  /** Keys of a workspace that manage its keys. */
  KeyManager: { bearer },
  Operator: { operator },
  /** Keys of a workspace with the scope, and those of operators. */
  Either: { bearer, operator }
} as const

/** Who may call the operations of a group. */
export type Callers = keyof typeof security

/** What a group says about authentication. */
export interface AuthenticationRule<Who extends Callers = Callers> {
  readonly callers: Who
  readonly family: Family
}

/** What handlers know. No operator is a caller. */
type Known<Who extends Callers> = Who extends "KeyManager" | "Workspace" ? Caller | Sender : Sender

/** The statuses that refuse a key, or say that it could not be looked up. */
const statuses = [401, 403, 500] as const

/** The schemas of errors, by status. Not every family has a 401. */
type ErrorTable = Readonly<Partial<Record<(typeof statuses)[number], Schema.Top>>>

/** Makes the middleware of a rule; `errors` are those of its operations. */
const authentication =
  <Self>() =>
  <const Name extends string, const Who extends Callers, Errors extends ErrorTable>(
    name: Name,
    { errors, ...rule }: AuthenticationRule<Who> & { readonly errors: Errors }
  ) => {
    type Refusal = NonNullable<Errors[keyof Errors & keyof ErrorTable]>
    const error = statuses.flatMap((status) => errors[status] ?? []) as ReadonlyArray<Refusal>
    return Object.assign(
      HttpApiMiddleware.Service<Self, { provides: Known<Who> }>()(
        `@verbatim/http/Authentication/${name}`,
        { security: security[rule.callers], error }
      ),
      rule
    )
  }

/** Authentication of the preset operations. */
export class PresetAuthentication extends authentication<PresetAuthentication>()(
  "PresetAuthentication",
  { callers: "Workspace", family: "preset", errors: PresetErrors }
) {}

/** Authentication of the transcription operations. */
export class TranscriptionAuthentication extends authentication<TranscriptionAuthentication>()(
  "TranscriptionAuthentication",
  { callers: "Workspace", family: "transcription", errors: TranscriptionErrors }
) {}

/** Authentication of the operations that programs written for OpenAI call. */
export class SpeechAuthentication extends authentication<SpeechAuthentication>()(
  "SpeechAuthentication",
  { callers: "Workspace", family: "openai", errors: SpeechErrors }
) {}

/** Authentication of the operations on the keys of one's own workspace. */
export class KeyManagement extends authentication<KeyManagement>()("KeyManagement", {
  callers: "KeyManager",
  family: "preset",
  errors: KeyErrors
}) {}

/** Authentication of the operators' operations. */
export class OperatorAuthentication extends authentication<OperatorAuthentication>()(
  "OperatorAuthentication",
  { callers: "Operator", family: "operator", errors: WorkspaceErrors }
) {}

/** Authentication of the operations on usage. */
export class UsageAuthentication extends authentication<UsageAuthentication>()(
  "UsageAuthentication",
  { callers: "Either", family: "preset", errors: UsageErrors }
) {}
