/** The answer while Verbatim cannot be reached or is closed, in the family of the path. */
import { toErrorBody } from "@verbatim/http"

const error = { status: 503, message: "Service Unavailable" }

/** The answer to a request for that path. */
export const closedAnswer = (url: string, prefix: string | undefined): Response => {
  const path = URL.parse(url, "http://localhost")?.pathname ?? "/"
  const isBelow = prefix !== undefined && path.startsWith(prefix)
  const body = toErrorBody(isBelow ? path.slice(prefix.length) : path, error)
  return Response.json(body, { status: error.status })
}
