/**
 * How the failures of preset operations look to the caller, with the caller's name in them.
 */
import type { IdempotencyConflict } from "@verbatim/core/domain/idempotency/IdempotencyConflict"
import type {
  DesignationMoved,
  ManagementKeyRequired,
  PresetInactive,
  PresetNotFound,
  VersionNotFound
} from "@verbatim/core/domain/preset/PresetRefusal"
import type { InvalidRequest } from "@verbatim/core/domain/schema/Problem"
import type { Principal } from "@verbatim/core/domain/workspace/Principal"
import type { PresetStoreError } from "@verbatim/core/ports/PresetStore"
import { Cause, Effect } from "effect"
import { Caller } from "../Authentication.ts"
import {
  type PresetError,
  type PresetStatus,
  presetError,
  unexpectedMessage
} from "../ErrorBody.ts"

/** Fails with an error that names the caller's user. */
export const refuse = <const Status extends PresetStatus>(
  { userId }: Principal,
  { message, status }: { readonly message: string; readonly status: Status }
): Effect.Effect<never, PresetError<Status>> =>
  Effect.fail(presetError(status, { message, userId }))

type Refusal =
  | IdempotencyConflict
  | ManagementKeyRequired
  | InvalidRequest
  | PresetNotFound
  | VersionNotFound
  | PresetInactive
  | DesignationMoved

const refusal = <const Status extends PresetStatus>(status: Status, message: string) => ({
  status,
  message
})

/** What each refusal of the service is on the wire. */
const refusals = {
  ManagementKeyRequired: () => refusal(403, "Only management keys can perform this operation"),
  InvalidRequest: ({ message }: InvalidRequest) => refusal(400, message),
  PresetNotFound: () => refusal(404, "Preset not found"),
  VersionNotFound: () => refusal(404, "Version not found"),
  PresetInactive: ({ status }: PresetInactive) => refusal(409, `Preset is ${status}`),
  DesignationMoved: () => refusal(409, "The designated version has changed"),
  IdempotencyConflict: ({ message }: IdempotencyConflict) => refusal(409, message)
} as const satisfies {
  readonly [Tag in Refusal["_tag"]]: (error: Extract<Refusal, { readonly _tag: Tag }>) => {
    readonly status: PresetStatus
    readonly message: string
  }
}

type Refusals = typeof refusals

/** The error that a refusal is on the wire, for each of a union. */
type Refused<E> = E extends { readonly _tag: infer Tag extends keyof Refusals }
  ? PresetError<ReturnType<Refusals[Tag]>["status"]>
  : never

const refusalOf = (error: Refusal) =>
  (refusals[error._tag] as (error: Refusal) => ReturnType<Refusals[Refusal["_tag"]]>)(error)

/** A failure that is ours: the cause goes to the log, never to the caller. */
const refuseUnexpected = (
  caller: Principal,
  cause: Cause.Cause<unknown>
): Effect.Effect<never, PresetError<500>> =>
  Effect.andThen(
    Effect.logError("A preset operation failed", cause),
    refuse(caller, { status: 500, message: unexpectedMessage })
  )

const refuseRead = (caller: Principal, error: PresetStoreError) =>
  refuseUnexpected(caller, Cause.fail(error))

/** What a caller can do about a failed write: wait, restore the preset, or nothing. */
const refuseWrite = (
  caller: Principal,
  error: PresetStoreError
): Effect.Effect<never, PresetError<404> | PresetError<409> | PresetError<500>> => {
  switch (error.reason._tag) {
    case "Contended":
    case "KeyTaken":
    case "Superseded":
      return refuse(caller, {
        status: 409,
        message: "Resource conflict. Please try again later."
      })
    case "Archived":
      return refuse(caller, { status: 409, message: "Preset is archived" })
    case "WorkspaceMissing":
      return refuse(caller, { status: 404, message: "Workspace not found" })
    case "Unavailable":
      return refuseUnexpected(caller, Cause.fail(error))
  }
}

/** Runs operations for the caller of a request, and answers what they fail with. */
const forCaller =
  <Failed>(
    refuseStore: (caller: Principal, error: PresetStoreError) => Effect.Effect<never, Failed>
  ) =>
  <A, E extends Refusal | PresetStoreError, R>(
    operation: (caller: Principal) => Effect.Effect<A, E, R>
  ): Effect.Effect<A, Refused<E> | PresetError<500> | Failed, Caller | R> =>
    Effect.flatMap(Caller, (caller) =>
      operation(caller).pipe(
        Effect.catch(
          (error): Effect.Effect<never, Refused<E> | Failed> =>
            error._tag === "PresetStoreError"
              ? refuseStore(caller, error)
              : // The row of the table that has the tag of the error makes the error of its type.
                (refuse(caller, refusalOf(error)) as Effect.Effect<never, Refused<E>>)
        ),
        Effect.catchDefect((defect) => refuseUnexpected(caller, Cause.die(defect)))
      )
    )

/** Runs an operation that reads. */
export const reading = forCaller(refuseRead)

/** Runs an operation that writes. */
export const writing = forCaller(refuseWrite)
