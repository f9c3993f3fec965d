/** The peer's checks of the key and the body, as a careful programmer would write them. */
import { hash } from "node:crypto"
import { ExactNumber, findBrokenLimit } from "@verbatim/core/schema"
import type { FastifyInstance, FastifyRequest } from "fastify"
import { type PeerRows, type Row, type Soon, use } from "./PeerRows.ts"

/** A refusal in the API's format. */
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

/** Makes the function that checks keys and returns the workspace. */
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

/** Parses UTF-8 JSON within the API's limits, and keeps the digits of numbers. */
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
