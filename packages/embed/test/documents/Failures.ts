/** What a host does about each class of errors. */
import { Closed, InvalidInput, NotFound, Refused, Unavailable } from "@verbatim/embed"

/** The status that a host answers its own callers with. */
export const statusOf = (fault: unknown): number => {
  if (fault instanceof InvalidInput) return 400
  if (fault instanceof NotFound) return 404
  if (fault instanceof Refused) return fault.code === "InsufficientBalance" ? 402 : 409
  if (fault instanceof Unavailable || fault instanceof Closed) return 503
  throw fault
}
