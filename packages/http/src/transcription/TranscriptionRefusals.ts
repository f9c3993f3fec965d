/**
 * The refusals of the transcription operations on the wire.
 */
import { Effect } from "effect"
import {
  type TranscriptionError,
  type TranscriptionStatus,
  transcriptionError
} from "../ErrorBody.ts"

/** Refuses with a sentence. */
export const refuse = <const Status extends TranscriptionStatus>(
  status: Status,
  detail: string
): Effect.Effect<never, TranscriptionError<Status>> =>
  Effect.fail(transcriptionError(status, detail))

/** Refuses with the sentence that the refusal brings along. */
export const repeat =
  <const Status extends TranscriptionStatus>(status: Status) =>
  ({ message }: { readonly message: string }) =>
    refuse(status, message)

/** No job of the caller's workspace has that id. */
export const notFound = () => refuse(404, "Request not found")

/** What a store fails with is nobody's business: it dies, and is answered at the edge. */
export const stores = ["JobStoreError", "WorkspaceStoreError", "WorkspaceNotFound"] as const
