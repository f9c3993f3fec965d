/** Converts requests about workspaces and keys to inputs for the services. */
import { type InvalidRequest, makeValidator } from "@verbatim/core/schema"
import { KeyNotReplaceable, WorkspaceNotFound } from "@verbatim/core/services"
import {
  ApiKeyId,
  type KeyOrder,
  type WorkspaceId,
  WorkspaceIdParameter
} from "@verbatim/core/workspace"
import { DateTime, Duration, Effect, Option, Result, Schema } from "effect"
import type { HttpServerRequest } from "effect/http"
import { PausedTasks } from "../../contract/WorkApi.ts"
import * as KeyBodies from "../../contract/workspace/KeyApi.ts"
import {
  toLimits,
  toPartialLimits,
  toRetentionChange
} from "../../contract/workspace/WorkspaceAnswers.ts"
import {
  ChangeBody,
  CreditBody,
  ExternalName,
  WorkspaceOrder
} from "../../contract/workspace/WorkspaceApi.ts"
import { makeReader, refuseProblems } from "../body/Body.ts"

type Request = HttpServerRequest.HttpServerRequest

const decodeWorkspaceId = Schema.decodeOption(WorkspaceIdParameter)
const decodeKeyId = Schema.decodeOption(ApiKeyId)

export const readWorkspaceId = (id: string): Effect.Effect<WorkspaceId, WorkspaceNotFound> =>
  Option.match(decodeWorkspaceId(id), {
    onNone: () => Effect.fail(new WorkspaceNotFound({ id })),
    onSome: Effect.succeed
  })

export const readKeyId = (id: string): Effect.Effect<ApiKeyId, KeyNotReplaceable> =>
  Option.match(decodeKeyId(id), {
    onNone: () => Effect.fail(new KeyNotReplaceable()),
    onSome: Effect.succeed
  })

const judgeName = makeValidator({ schema: ExternalName, names: ["external_id"] })

const undecodable = { path: "external_id", rule: "must be UTF-8 where it is percent-encoded" }

/**
 * Whether the path is valid UTF-8 after decoding. The router passes invalid escapes on unchanged,
 * so `%ff` would otherwise be accepted as a name.
 */
const isDecodable = ({ originalUrl }: Request): boolean => {
  const [path = ""] = originalUrl.split("?")
  return Result.isSuccess(Result.try(() => decodeURIComponent(path)))
}

/** Reads the external id in a path, by the same rules as in a body. */
export const readExternalId = (
  external_id: string,
  request: Request
): Effect.Effect<string, InvalidRequest> => {
  const problems = isDecodable(request) ? judgeName({ external_id }) : [undecodable]
  return Effect.as(refuseProblems(problems), external_id)
}

const readOrder = makeReader(WorkspaceOrder)

/** Reads a request to create a workspace. */
export const readWorkspaceOrder = (request: Request) =>
  Effect.map(readOrder(request), ({ external_id, limits, name }) => ({
    name,
    externalId: external_id ?? undefined,
    limits: toLimits(limits)
  }))

const readChangeBody = makeReader(ChangeBody)

export const readChange = (request: Request) =>
  Effect.map(readChangeBody(request), ({ keywords, limits = {}, retention = {}, ...change }) => ({
    ...change,
    ...(keywords === undefined ? {} : { keywords: [...new Set(keywords ?? [])] }),
    ...toPartialLimits(limits),
    ...toRetentionChange(retention)
  }))

const readCreditBody = makeReader(CreditBody)

/** Reads the minutes to add. */
export const readCredit = (request: Request) =>
  Effect.map(readCreditBody(request), ({ credit_id, minutes }) => ({
    minutes,
    creditId: credit_id ?? undefined
  }))

export const readPausedTasks = makeReader(PausedTasks)

const readKeyBody = makeReader(KeyBodies.KeyOrder)

/** Reads a request to issue a key. */
export const readKeyOrder = Effect.fnUntraced(function* (
  request: Request
): Effect.fn.Return<KeyOrder, InvalidRequest> {
  const { expires_at, kind, limits, name, scopes, user } = yield* readKeyBody(request)
  const expiresAt = expires_at == null ? undefined : DateTime.makeUnsafe(expires_at)
  if (expiresAt !== undefined && !DateTime.isGreaterThan(expiresAt, yield* DateTime.now)) {
    yield* refuseProblems([{ path: "expires_at", rule: "must be in the future" }])
  }
  return {
    kind,
    token: Option.none(),
    name: name ?? undefined,
    holder: user ?? undefined,
    scopes: scopes ?? undefined,
    expiresAt: expiresAt === undefined ? undefined : DateTime.toUtc(expiresAt),
    limits: toLimits(limits)
  }
})

const readRotationBody = makeReader(KeyBodies.Rotation)

/** Reads how long a replaced key stays valid. */
export const readOverlap = (request: Request) =>
  Effect.map(readRotationBody(request), ({ overlap_seconds = KeyBodies.overlapDefault }) =>
    Duration.seconds(overlap_seconds)
  )
