/** How a host handles errors. */
import { VerbatimError } from "@verbatim/embed"

/** The status that a host answers its own callers with. */
export const statusOf = (fault: unknown): number => {
  if (!(fault instanceof VerbatimError)) throw fault
  // The API refused it: 400, 402, 404, 409 and so on. After `close()` that is 503.
  if (fault.kind === "refused") return fault.status
  // A parameter or a file that no request can carry.
  if (fault.kind === "unsent") return 400
  throw fault
}
