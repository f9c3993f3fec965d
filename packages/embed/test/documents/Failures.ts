/** Shows how a host handles errors from the embedded API. */
import { VerbatimError } from "@verbatim/embed"

/** Returns the status for the host's own callers. */
export const statusOf = (fault: unknown): number => {
  if (!(fault instanceof VerbatimError)) throw fault
  // The API refused the call with 400, 402, 404, 409 and so on, or with 503 after `close()`.
  if (fault.kind === "refused") return fault.status
  // A parameter or a file that cannot be sent.
  if (fault.kind === "unsent") return 400
  throw fault
}
