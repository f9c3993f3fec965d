/**
 * Converts write requests to inputs for the services. Bodies are JSON within limits, and changes
 * may contain only known properties. The service decides when a body is read.
 */
import { ManagementKeyRequired, type VersionParts } from "@verbatim/core/preset"
import type { RequestFormat } from "@verbatim/core/request"
import type { InvalidRequest } from "@verbatim/core/schema"
import { Effect, Result } from "effect"
import type { HttpServerRequest } from "effect/http"
import { Caller } from "../../contract/Authentication.ts"
import {
  ChangeBody,
  DesignationBody,
  LabelBody,
  PartsBody
} from "../../contract/preset/PresetApi.ts"
import { parseCondition, prefersStage } from "../../contract/preset/PresetHeaders.ts"
import { type CreationQuery, creationQuery } from "../../contract/preset/PresetParameters.ts"
import { makeReader, readBody, refuseProblems } from "../body/Body.ts"

type Request = HttpServerRequest.HttpServerRequest

/**
 * Adds the precondition for a write. A malformed precondition is refused only when the body is
 * read, so that callers without permission to write learn nothing about presets.
 */
const withCondition = <A>(
  request: Request,
  read: (request: Request) => Effect.Effect<A, InvalidRequest>
) => {
  const condition = parseCondition(request.headers)
  return {
    condition: Result.getOrUndefined(condition),
    body: Effect.andThen(Effect.fromResult(condition), read(request))
  }
}

const splitNames = (list: string): ReadonlyArray<string> =>
  list
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "")

const flags: ReadonlyArray<unknown> = [undefined, "true", "false"]

/**
 * Lists the errors in the query of a create request. The text of the comment is checked elsewhere.
 */
const findProblems = ({ comment, dry_run, stage, wins }: CreationQuery) => [
  ...Object.entries({ dry_run, stage })
    .filter(([, flag]) => !flags.includes(flag))
    .map(([path]) => ({ path, rule: "must be true or false, once" })),
  ...Object.entries({ comment, wins })
    .filter(([, value]) => Array.isArray(value))
    .map(([path]) => ({ path, rule: "must be sent once" }))
]

/**
 * Reads a request that creates a version: the body, and whether to only try it or to stage the
 * version.
 */
export const readCreation = (
  request: Request,
  { format, query }: { readonly format: RequestFormat; readonly query: CreationQuery }
) => {
  const { comment, dry_run, stage, wins } = query
  const problems = findProblems(query)
  const isPreferred = stage === undefined && prefersStage(request.headers.prefer)
  return {
    isDry: dry_run === "true",
    isPreferred,
    creation: {
      format,
      stage: stage === "true" || isPreferred,
      comment: typeof comment === "string" ? comment : null,
      wins: typeof wins === "string" ? splitNames(wins) : [],
      sessionIdHeader: request.headers["x-session-id"],
      idempotencyKey: request.headers["idempotency-key"],
      ...withCondition(request, (judged) =>
        Effect.andThen(refuseProblems(problems), readBody(judged))
      )
    }
  }
}

const readParts = makeReader(PartsBody, ["set"])

/** Lists query parameters that belong to a create request and have no effect here. */
const misplacedIn = ({ url }: Request) =>
  Object.keys(creationQuery)
    .filter((name) => new URLSearchParams(url.split("?")[1]).has(name))
    .map((path) => ({ path, rule: "is not a parameter of this operation" }))

/** Reads a request to create a version from another one. */
export const readVersionParts = (request: Request) => {
  const { body, condition } = withCondition(request, (judged) =>
    Effect.andThen(refuseProblems(misplacedIn(request)), readParts(judged))
  )
  return {
    condition,
    idempotencyKey: request.headers["idempotency-key"],
    wanted: Effect.map(
      body,
      ({ system_prompt: systemPrompt, ...parts }): VersionParts => ({ ...parts, systemPrompt })
    )
  }
}

const makeChangeReader =
  <A>(read: (request: Request) => Effect.Effect<A, InvalidRequest>) =>
  (request: Request) => {
    const { body, condition } = withCondition(request, read)
    return { condition, wanted: body }
  }

/** Creates a reader for changes that name only a version. */
const makeVersionReader = <A>(
  read: (request: Request) => Effect.Effect<{ readonly version: A }, InvalidRequest>
) => makeChangeReader((request) => Effect.map(read(request), ({ version }) => version))

/** Reads a request to designate a version. */
export const readDesignation = makeVersionReader(makeReader(DesignationBody))

/** Reads a request to move a label. */
export const readLabelMove = makeVersionReader(makeReader(LabelBody))

/**
 * Reads the precondition for a removal. A removal has no body, so a malformed precondition is
 * refused here, after the permission to write was checked.
 */
export const readRemoval = Effect.fnUntraced(function* (request: Request) {
  const { kind } = yield* Caller
  if (kind !== "management") return yield* new ManagementKeyRequired()
  return { condition: yield* Effect.fromResult(parseCondition(request.headers)) }
})

export type Removal = Effect.Success<ReturnType<typeof readRemoval>>

/** Reads a request to change a preset. */
export const readChange = makeChangeReader(makeReader(ChangeBody))
