/**
 * The metrics of the API: requests by route and status. A route is a pattern from the description,
 * never a raw path. Each row is a metric; `docs/metrics.md` is generated from the rows.
 */
import { type MetricTable, shortSeconds } from "@verbatim/core/metrics"
import { mcpPath } from "../../contract/Api.ts"
import { patterns } from "../edge/Routes.ts"

/** The path of the metrics. */
export const metricsPath = "/metrics"

/** The route label of requests without a route. */
export const noRoute = "none"

/** The route label of preflights, on any path. */
export const preflight = "preflight"

/** The route label of a host's own routes. */
const foreign = "other"

const route = [...patterns, mcpPath, metricsPath, preflight, noRoute, foreign].sort()

const method = ["DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "other"]

/** The client disconnected before the response; proxies use the same status. */
export const clientGone = 499

/** Statuses of our responses, and of hosts' responses. */
const status = [
  200, 201, 202, 204, 206, 301, 302, 304, 307, 308, 400, 401, 403, 404, 405, 406, 408, 409, 410,
  412, 413, 415, 422, 428, 429, 431, 499, 500, 501, 502, 503, 504
].map(String)

/** All metrics of the API. */
export const httpTable = {
  requests: {
    name: "verbatim_http_requests_total",
    help: "Answered requests; status 499 if the client disconnected first.",
    labels: { method, route, status: [...status, "other"] }
  },
  requestDuration: {
    name: "verbatim_http_request_duration_seconds",
    help:
      "Time from the head of a request to the head of its answer, including the upload of a " +
      "body.",
    labels: { method, route },
    buckets: shortSeconds
  }
} as const satisfies MetricTable
