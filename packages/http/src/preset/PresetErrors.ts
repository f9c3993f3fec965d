/**
 * How the failures of preset operations look to the caller, with the caller's name in them.
 */
import type { PresetStoreError } from "@verbatim/core/ports/PresetStore"
import type { Principal } from "@verbatim/core/workspace/Principal"
import { Cause, Effect } from "effect"
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

/** A failure that is ours: the cause goes to the log, never to the caller. */
export const refuseUnexpected = (
  caller: Principal,
  cause: Cause.Cause<unknown>
): Effect.Effect<never, PresetError<500>> =>
  Effect.andThen(
    Effect.logError("A preset operation failed", cause),
    refuse(caller, { status: 500, message: unexpectedMessage })
  )

/** What a caller can do about a failed write: wait, restore the preset, or nothing. */
export const refuseWrite = (caller: Principal, error: PresetStoreError) => {
  switch (error.reason._tag) {
    case "Contended":
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
