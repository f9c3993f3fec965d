/**
 * The operation as one would write it by hand: Fastify, Ajv and `node:sqlite`. It validates the
 * same fields, looks up the key by its hash in the same way, and writes the same rows as durably.
 */
import { createHash, randomUUID } from "node:crypto"
import { fastify } from "fastify"
import { keywords } from "./Keywords.ts"
import { memoryRows } from "./MemoryRows.ts"
import { answerOf, configOf } from "./PresetAnswer.ts"
import { requestSchema } from "./RequestSchema.ts"
import type { Draft, Founding, KeyRow } from "./Rows.ts"
import { sqliteRows } from "./SqliteRows.ts"

const { PEER_FILENAME: filename = "", PEER_KEY: key = "" } = process.env

const hashOf = (token: string): string => createHash("sha256").update(token).digest("hex")

const founding: Founding = {
  workspaceId: randomUUID(),
  userId: `user_${randomUUID()}`,
  keyHash: hashOf(key)
}

const rows = filename === "" ? memoryRows(founding) : sqliteRows(filename, founding)

/** UUID version 7: a time in milliseconds, and random bits. */
const uuidV7 = (millis: number): string => {
  const time = millis.toString(16).padStart(12, "0")
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
}

const refusal = (code: number, message: string) => ({
  error: { code, message },
  gateway_metadata: null,
  user_id: null
})

const params = {
  type: "object",
  properties: {
    slug: { type: "string", pattern: "^[A-Za-z0-9._~-]{1,255}$", not: { enum: [".", ".."] } }
  }
} as const

const sessionIdMax = 256

const app = fastify({
  bodyLimit: 2_097_152,
  routerOptions: { maxParamLength: 65_536 },
  ajv: {
    customOptions: {
      coerceTypes: false,
      removeAdditional: false,
      useDefaults: false,
      discriminator: true,
      allowUnionTypes: true,
      keywords: [...keywords]
    }
  }
})

const callers = new WeakMap<object, KeyRow>()

app.setErrorHandler((error: Error & { readonly statusCode?: number }, _, reply) => {
  const status = error.statusCode ?? 500
  return reply
    .code(status)
    .send(refusal(status, status === 500 ? "Internal Server Error" : error.message))
})

app.post<{
  Params: { readonly slug: string }
  Body: Readonly<Record<string, unknown>>
}>("/v1/presets/:slug/responses", {
  schema: { params, body: requestSchema },
  onRequest: (request, reply, next) => {
    const token = /^bearer (.+)$/i.exec(request.headers.authorization ?? "")?.[1]
    const caller = token === undefined ? undefined : rows.findKey(hashOf(token))
    if (caller?.kind === "management") {
      callers.set(request, caller)
      next()
    } else if (caller !== undefined) {
      reply.code(403).send(refusal(403, "Only management keys can perform this operation"))
    } else {
      const message = token === undefined ? "Missing Authentication header" : "Invalid API key"
      reply.code(401).send(refusal(401, message))
    }
  },
  handler: (request, reply) => {
    const { body, headers, params } = request
    const caller = callers.get(request)
    const session = headers["x-session-id"]
    if (body.session_id === undefined && String(session ?? "").length > sessionIdMax) {
      return reply.code(400).send(refusal(400, "x-session-id: at most 256 characters"))
    }
    const at = Date.now()
    const draft: Draft = {
      presetId: uuidV7(at),
      versionId: uuidV7(at),
      workspaceId: caller?.workspace_id ?? "",
      slug: params.slug,
      creatorId: caller?.user_id ?? "",
      systemPrompt: typeof body.instructions === "string" ? body.instructions : null,
      config: configOf(body),
      at
    }
    const preset = rows.append(draft)
    return preset === undefined
      ? reply.code(409).send(refusal(409, "Preset is archived"))
      : reply.send(answerOf(preset, draft))
  }
})

process.once("SIGTERM", () => app.close())
const address = await app.listen({ host: "127.0.0.1", port: 0 })
console.log(`The peer listens on ${address}`)
