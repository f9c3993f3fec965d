/**
 * What is known of a request besides what it says itself: whoever finds it out notes it here, and
 * it is told once, when the request has its answer.
 */
import type { Principal } from "@verbatim/core/workspace"
import { Context, Effect } from "effect"

/** What the log and the trace say of a request. */
export interface RequestNotes {
  readonly id: string
  /** The key that it was sent with, by its id. */
  keyId?: string
  /** The job that it made, or is about. */
  jobId?: string
}

/** The notes of the request that is handled; none where nobody asks for them. */
export const RequestNotes: Context.Reference<RequestNotes | undefined> = Context.Reference(
  "@verbatim/http/RequestNotes",
  { defaultValue: (): RequestNotes | undefined => undefined }
)

/** Notes something of the request that is handled. */
export const note = (found: Partial<Omit<RequestNotes, "id">>): Effect.Effect<void> =>
  Effect.map(RequestNotes, (notes) => {
    if (notes !== undefined) Object.assign(notes, found)
  })

/** Handles a request whose caller is noted, also where it is refused. */
export const noted = <A, E, R>(
  { keyId }: Pick<Principal, "keyId">,
  handled: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  keyId === undefined ? handled : Effect.andThen(note({ keyId }), handled)
