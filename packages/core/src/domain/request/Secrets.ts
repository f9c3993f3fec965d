/**
 * Secrets in a request, which no preset keeps: the tokens of MCP servers. Each request brings them
 * again, by the name of the server.
 */
import type { Schema } from "effect"

/** Why a secret is not kept. */
export const becauseSecret = "is a secret: it belongs in each request"

/** A value without its secrets, and the paths of those. */
export interface Cleaned {
  readonly value: Schema.Json
  readonly secrets: ReadonlyArray<string>
}

const isObject = (value: Schema.Json | undefined): value is Schema.JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Takes members out of an object, and says under which paths they stood. */
const takeOut = (
  object: Schema.JsonObject,
  { isSecret, path }: { readonly path: string; readonly isSecret: (name: string) => boolean }
): Cleaned => {
  const names = Object.keys(object).filter((name) => isSecret(name) && object[name] !== null)
  if (names.length === 0) return { value: object, secrets: [] }
  const left = Object.entries(object).filter(([name]) => !names.includes(name))
  return { value: Object.fromEntries(left), secrets: names.map((name) => `${path}.${name}`) }
}

const tokens = new Set(["authorization", "authorization_token"])

const cleanServer = (server: Schema.Json, path: string): Cleaned => {
  if (!isObject(server)) return { value: server, secrets: [] }
  const bare = takeOut(server, { path, isSecret: (name) => tokens.has(name) })
  const { headers } = server
  if (!isObject(headers)) return bare
  const isSecret = (name: string) => name.toLowerCase() === "authorization"
  const cleaned = takeOut(headers, { path: `${path}.headers`, isSecret })
  if (cleaned.secrets.length === 0) return bare
  const value = { ...(bare.value as Schema.JsonObject), headers: cleaned.value }
  return { value, secrets: [...bare.secrets, ...cleaned.secrets] }
}

const isServer = (tool: Schema.Json): boolean => isObject(tool) && tool.type === "mcp"

/** A field of a request without the tokens of its MCP servers. */
export const clean = (name: string, value: Schema.Json): Cleaned => {
  const isListed = name === "mcp_servers" || name === "tools"
  if (!isListed || !Array.isArray(value)) return { value, secrets: [] }
  const servers: ReadonlyArray<Schema.Json> = value
  const cleaned = servers.map(
    (each, place): Cleaned =>
      name === "tools" && !isServer(each)
        ? { value: each, secrets: [] }
        : cleanServer(each, `${name}.${place}`)
  )
  const secrets = cleaned.flatMap((each) => each.secrets)
  return secrets.length === 0
    ? { value, secrets }
    : { value: cleaned.map((each) => each.value), secrets }
}
