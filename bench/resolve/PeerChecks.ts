/**
 * What the peer does besides reading rows and laying a request over them, as a careful program
 * would: it judges the key and the body, and, where it is asked to, tells its operator of each
 * request.
 */
import { hash, randomUUID } from "node:crypto"
import { ExactNumber, findBrokenLimit } from "@verbatim/core/schema"
import type { FastifyInstance, FastifyRequest } from "fastify"
import { type PeerRows, type Row, type Soon, use } from "./PeerRows.ts"

/** A refusal in the form of the API. */
export class Refused extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

const bearer = /^bearer +(.+)$/i

const judgeKey = (key: Row | undefined): string => {
  const isOver = key?.expires_at != null && Number(key.expires_at) <= Date.now()
  if (key === undefined || isOver) throw new Refused(401, "Invalid API key")
  if (key.status !== "Active") throw new Refused(403, "The workspace is disabled")
  if (key.scopes !== null || key.key_rate !== null || key.rate !== null) {
    throw new Error("keys with scopes and limits are not measured")
  }
  return String(key.workspace_id)
}

/** Makes the check of keys, which answers with the workspace. */
export const makeKeyCheck =
  ({ findKey }: PeerRows) =>
  ({ headers: { authorization = "" } }: FastifyRequest): Soon<string> => {
    const token = bearer.exec(authorization)?.[1]
    if (token === undefined) throw new Refused(401, "Missing Authentication header")
    return use(findKey(hash("sha256", token)), judgeKey)
  }

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

const parse = (body: Buffer): unknown => {
  const text = utf8.decode(body)
  const rule = text.startsWith("\uFEFF") ? "must not begin with a mark" : findBrokenLimit(text)
  if (rule !== undefined) throw new Refused(400, `Invalid request parameters: ${rule}`)
  const value = ExactNumber.parse(text)
  if (value._tag === "None") throw new Refused(400, "Invalid request parameters: must be JSON")
  return value.value
}

/** Takes JSON in UTF-8 within the limits of the API, whose numbers keep their digits. */
export const takeJson = (app: FastifyInstance): void => {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser<Buffer>("application/json", { parseAs: "buffer" }, (_, body, done) => {
    try {
      done(null, parse(body))
    } catch (cause) {
      done(cause instanceof Refused ? cause : new Refused(400, "must be UTF-8"))
    }
  })
}

/** Upper bounds of the parts that durations are counted in, in seconds. */
const bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** How late a line may be, in milliseconds: many have one write. */
const delayMillis = 20

const acceptable = /^[A-Za-z0-9._~:@/+=-]{1,128}$/

/** Gives each request an id, a line in the log, a count and a duration. */
export const tellOperator = (app: FastifyInstance): void => {
  const requests = new Map<string, number>()
  const durations = new Map<string, Array<number>>()
  const begun = new WeakMap<FastifyRequest, { readonly id: string; readonly at: bigint }>()
  let lines: Array<string> = []
  const flush = () => {
    process.stderr.write(lines.join(""))
    lines = []
  }
  app.addHook("onRequest", (request, reply, next) => {
    const sent = request.headers["x-request-id"]
    const id = typeof sent === "string" && acceptable.test(sent) ? sent : randomUUID()
    begun.set(request, { id, at: process.hrtime.bigint() })
    reply.header("x-request-id", id)
    next()
  })
  app.addHook("onResponse", (request, { statusCode: status }, next) => {
    const { at = 0n, id } = begun.get(request) ?? {}
    const millis = Number((process.hrtime.bigint() - at) / 1_000n) / 1_000
    const { method, routeOptions, url } = request
    const route = routeOptions.url ?? "none"
    const labels = `${method} ${route}`
    requests.set(`${labels} ${status}`, (requests.get(`${labels} ${status}`) ?? 0) + 1)
    const counts = durations.get(labels) ?? [...bounds.map(() => 0), 0]
    const part = bounds.findIndex((bound) => millis / 1_000 <= bound)
    const place = part === -1 ? bounds.length : part
    counts[place] = (counts[place] ?? 0) + 1
    durations.set(labels, counts)
    const timestamp = new Date().toISOString()
    const message = `${method} ${url.split("?", 1)[0]} ${status} in ${millis} ms`
    const line = { timestamp, level: "INFO", message, request: id, method, route, status, millis }
    lines.push(`${JSON.stringify(line)}\n`)
    if (lines.length === 1) setTimeout(flush, delayMillis).unref()
    next()
  })
}
