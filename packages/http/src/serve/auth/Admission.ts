/**
 * Lets a request in: whom its key stands for, whether that one may do what is asked, and whether
 * there is a slot for it. What then handles the request knows its caller.
 */
import { KeyUses, RequestLimits, type Workspaces } from "@verbatim/core/services"
import type { Principal } from "@verbatim/core/workspace"
import { Effect, type Redacted } from "effect"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import type { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { FailureLog } from "../edge/FailureLog.ts"
import { noteUnsafe } from "../edge/RequestNotes.ts"
import type { Authenticator, Unauthenticated } from "./Authenticator.ts"
import { makeIdentify } from "./Callers.ts"
import { makeLookupFailure, makeRefusal } from "./KeyRefusals.ts"
import * as KeyShare from "./KeyShare.ts"
import { handleAdmitted } from "./RequestRates.ts"

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse
type Handled<E, R> = Effect.Effect<Response, E, R>

/** The operation that a request is for. */
export interface Operation {
  readonly endpoint: Pick<HttpApiEndpoint.Top, "annotations" | "method">
  readonly group: Pick<HttpApiGroup.Top, "annotations">
  /** The label that its path names. */
  readonly label: string | undefined
}

/** How an API says that a key is missing, unknown, of no use here, or could not be looked up. */
export interface Refusals<Refused>
  extends Readonly<Record<Unauthenticated["reason"], Effect.Effect<Response, Refused>>> {
  /** In the words of whoever knows the callers. */
  readonly told: (sentence: string) => Effect.Effect<Response, Refused>
  readonly unexpected: unknown
  /** Why the key may not do that; nothing where it may. */
  readonly judge: (caller: Principal, operation: Operation) => string | undefined
  readonly forbidden: (message: string, caller: Principal) => Effect.Effect<Response, Refused>
}

/** A request for an operation, with the key that was sent: empty where there is none. */
interface Asked extends Operation {
  readonly request: Request
  readonly credential: Redacted.Redacted
}

/** Handles a request for whoever its key stands for, or refuses it. */
export type Admit<Refused> = <E, R>(
  asked: Asked,
  handle: (caller: Principal) => Handled<E, R>
) => Handled<E | Refused, Request | R>

/** Makes what admits the requests of an API, in the shares that all APIs have together. */
export const makeAdmit = <Refused>(
  share: KeyShare.Share,
  { forbidden, judge, unexpected, ...refusals }: Refusals<Refused>
): Effect.Effect<
  Admit<Refused>,
  never,
  Authenticator | FailureLog | KeyUses | RequestLimits | Workspaces
> =>
  Effect.map(
    Effect.all([makeIdentify, KeyUses, FailureLog, RequestLimits]),
    ([identify, uses, log, limits]) => {
      const refuse = makeRefusal(refusals, makeLookupFailure(log, unexpected))
      const noteUse = ({ keyId }: Principal) =>
        keyId === undefined ? Effect.void : uses.note(keyId)
      return <E, R>(
        { credential, request, ...operation }: Asked,
        handle: (caller: Principal) => Handled<E, R>
      ) =>
        Effect.matchEffect(identify({ credential, request }), {
          onFailure: refuse,
          onSuccess: (caller) =>
            Effect.withFiber(({ context }): Handled<E | Refused, Request | R> => {
              const { keyId } = caller
              if (keyId !== undefined) noteUnsafe(context, { keyId })
              const fault = judge(caller, operation)
              const answered: Handled<E | Refused, Request | R> =
                fault === undefined
                  ? Effect.andThen(noteUse(caller), share(KeyShare.nameOf(caller), handle(caller)))
                  : forbidden(fault, caller)
              return handleAdmitted(limits.admit(caller), answered)
            })
        })
    }
  )
