/** Next route handlers that pass all requests under `/api/verbatim` to Verbatim. */
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
