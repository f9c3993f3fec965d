/**
 * Declares the authentication of each group: which callers the group's operations accept, and which
 * error format all other callers get. `serve/auth` implements it.
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

/** The workspace, user and permissions of the caller who sent the request. */
export class Caller extends Context.Service<Caller, Principal>()(
  "@verbatim/http/Authentication/Caller"
) {}

/**
 * The sender of a request: a caller from a workspace, or an operator, who belongs to no workspace.
 */
export class Sender extends Context.Service<
  Sender,
  { readonly workspaceId: WorkspaceId | null; readonly userId: string | null }
>()("@verbatim/http/Authentication/Sender") {}

/**
 * The resource in the names of a group's scopes, such as `presets`. A key with a list of scopes can
 * call only groups that have a resource.
 */
export const Resource: Context.Reference<ResourceName | undefined> = Context.Reference(
  "@verbatim/http/Authentication/Resource",
  { defaultValue: (): ResourceName | undefined => undefined }
)

/** Whether every operation of the group only reads, even if some use `POST`. */
export const Reads: Context.Reference<boolean> = Context.Reference(
  "@verbatim/http/Authentication/Reads",
  { defaultValue: () => false }
)

/**
 * Whether an operation accepts the scope of the label in its path as an alternative to its usual
 * scope, or accepts only the label's scope.
 */
export const LabelScopeRole: Context.Reference<"Alternative" | "Only" | undefined> =
  Context.Reference("@verbatim/http/Authentication/LabelScopeRole", {
    defaultValue: (): "Alternative" | "Only" | undefined => undefined
  })

export type ResourceName = "presets" | "transcriptions" | "usage"

/**
 * Returns the scope of a label. Without a label, returns the template that the API description
 * shows.
 */
const labelScope = (label = "{label}"): Scope => `labels:${label}`

/**
 * Lists the scopes that allow a call: the group's read or write scope, or the label's scope. A key
 * needs one of them. The list is empty if no key with a list of scopes can call the operation.
 */
export const findScopes = (
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

/** Operations of the same family format their errors in the same way. */
export type Family = "openai" | "operator" | "preset" | "transcription"

/** The kinds of keys that each kind of caller can use. */
const security = {
  /** Workspace keys with the operation's scope. */
  Workspace: { bearer },
  /** Workspace keys that can manage their workspace's keys. */
  KeyManager: { bearer },
  Operator: { operator },
  /** Workspace keys with the operation's scope, and operator keys. */
  Either: { bearer, operator }
} as const

/** The kind of callers that a group's operations accept. */
export type Callers = keyof typeof security

export interface AuthenticationRule<Who extends Callers = Callers> {
  readonly callers: Who
  readonly family: Family
}

/**
 * The services that handlers get. Operators are not callers, so a group that admits operators
 * provides only `Sender`.
 */
type Known<Who extends Callers> = Who extends "KeyManager" | "Workspace" ? Caller | Sender : Sender

/** Statuses for a refused key, and for a failed lookup of a key. */
const statuses = [401, 403, 500] as const

/** Schemas of errors, keyed by status. Some families have no 401. */
type ErrorTable = Readonly<Partial<Record<(typeof statuses)[number], Schema.Top>>>

/**
 * Creates the middleware for a rule. `errors` lists the errors that operations with this rule can
 * return.
 */
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

export class PresetAuthentication extends authentication<PresetAuthentication>()(
  "PresetAuthentication",
  { callers: "Workspace", family: "preset", errors: PresetErrors }
) {}

export class TranscriptionAuthentication extends authentication<TranscriptionAuthentication>()(
  "TranscriptionAuthentication",
  { callers: "Workspace", family: "transcription", errors: TranscriptionErrors }
) {}

export class SpeechAuthentication extends authentication<SpeechAuthentication>()(
  "SpeechAuthentication",
  { callers: "Workspace", family: "openai", errors: SpeechErrors }
) {}

/** Authentication for operations on keys in the caller's own workspace. */
export class KeyManagement extends authentication<KeyManagement>()("KeyManagement", {
  callers: "KeyManager",
  family: "preset",
  errors: KeyErrors
}) {}

export class OperatorAuthentication extends authentication<OperatorAuthentication>()(
  "OperatorAuthentication",
  { callers: "Operator", family: "operator", errors: WorkspaceErrors }
) {}

export class UsageAuthentication extends authentication<UsageAuthentication>()(
  "UsageAuthentication",
  { callers: "Either", family: "preset", errors: UsageErrors }
) {}
