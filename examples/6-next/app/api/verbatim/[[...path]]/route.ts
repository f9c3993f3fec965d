/** Verbatim as route handlers of Next: everything below `/api/verbatim`, by every method. */
import { verbatim } from "../../../../verbatim.ts"

const handle = async (request: Request): Promise<Response> => (await verbatim).fetch(request)

export {
  handle as DELETE,
  handle as GET,
  handle as HEAD,
  handle as OPTIONS,
  handle as PATCH,
  handle as POST,
  handle as PUT
}
