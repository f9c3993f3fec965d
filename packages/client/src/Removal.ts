/**
 * The answer to a call that removes something. When the call was repeated, an attempt whose answer
 * was lost may have removed it: then there is nothing to find, and all is well.
 */
import { unwrap } from "./Calls.ts"
import { wasRepeated } from "./Transport.ts"

/** Ends when the thing is gone; a refusal rejects with a `VerbatimError`. */
export const unwrapRemoval = async (
  calling: Promise<{ readonly error?: unknown; readonly response: Response }>
): Promise<void> => {
  const { error, response } = await calling
  if (response.status === 404 && wasRepeated(response)) return
  await unwrap(Promise.resolve({ error, response }))
}
