/** Shows how a host handles errors from the embedded API. */
import { VerbatimError } from "@verbatim/embed"

/** Returns the status to send to the host's own callers. */
export const statusOf = (fault: unknown): number => {
  if (!(fault instanceof VerbatimError)) throw fault
  // The API refused the call with a 4xx status or, after `close()`, with 503.
  if (fault.kind === "refused") return fault.status
  // A parameter or a file could not be sent.
  if (fault.kind === "unsent") return 400
  throw fault
}
