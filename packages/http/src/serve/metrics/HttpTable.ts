/**
 * The metrics of the API: requests by route and status. A route is the pattern of the description,
 * never a path as it came. One row is one metric; `docs/metrics.md` is written from them.
 */
import { type MetricTable, shortSeconds } from "@verbatim/core/metrics"
import { patterns } from "../edge/Routes.ts"

/** Where the metrics themselves are read. */
export const metricsPath = "/metrics"

/** Requests that no route of ours answers. */
export const noRoute = "none"

/** What browsers ask before a request of another origin's page, on whatever path. */
export const preflight = "preflight"

/** What a host adds to the router beside our routes. */
const foreign = "other"

const route = [...patterns, metricsPath, preflight, noRoute, foreign].sort()

const method = ["DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "other"]

/** The client went away before it had an answer, as proxies write it. */
export const clientGone = 499

/** Those that answers here have, and what hosts may add. */
const status = [
  200, 201, 202, 204, 206, 301, 302, 304, 307, 308, 400, 401, 403, 404, 405, 406, 408, 409, 410,
  412, 413, 415, 422, 428, 429, 431, 499, 500, 501, 502, 503, 504
].map(String)

/** Every metric of the API. */
export const httpTable = {
  requests: {
    name: "verbatim_http_requests_total",
    help: "Requests that were answered; status 499 where the client went away before.",
    labels: { method, route, status: [...status, "other"] }
  },
  requestDuration: {
    name: "verbatim_http_request_duration_seconds",
    help: "From the head of a request to the head of its answer; an upload is read meanwhile.",
    labels: { method, route },
    buckets: shortSeconds
  }
} as const satisfies MetricTable
