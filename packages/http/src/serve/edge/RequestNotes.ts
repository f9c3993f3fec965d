/**
 * What is known of a request besides what it says itself: whoever finds it out notes it here, and
 * it is told once, when the request has its answer.
 */
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

type Found = Partial<Omit<RequestNotes, "id">>

/** Notes something of the request of a fiber that runs. */
export const noteUnsafe = (context: Context.Context<never>, found: Found): void => {
  const notes = Context.get(context, RequestNotes)
  if (notes !== undefined) Object.assign(notes, found)
}

/** Notes something of the request that is handled. */
export const note = (found: Found): Effect.Effect<void> =>
  Effect.withFiber(({ context }) => {
    noteUnsafe(context, found)
    return Effect.void
  })
