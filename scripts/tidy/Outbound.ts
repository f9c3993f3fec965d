/**
 * One door out: only `packages/adapters/src/net` opens connections to the outside, because the
 * guard against private networks stands there. Servers may listen elsewhere.
 */
import { imports } from "./Imports.ts"
import { type Finding, findAll, isShipped, type Rule } from "./Source.ts"

const door = "packages/adapters/src/net/"

/** Programs that tests start: they reach this machine alone, and no server runs them. */
const rehearsal = "packages/testkit/src/servers/"

const rule = "outbound"
const advice = `only ${door} may open a connection: go through MediaFetcher or WebhookSender`

/** What may be taken as a value from modules that can connect; nothing where a list is empty. */
const harmless: ReadonlyMap<string, ReadonlyArray<string>> = new Map([
  ["undici", []],
  ["node:dgram", []],
  ["node:dns", []],
  ["node:dns/promises", []],
  ["node:http", ["createServer", "Server", "ServerResponse", "IncomingMessage"]],
  ["node:http2", ["createServer", "createSecureServer"]],
  ["node:https", ["createServer", "Server"]],
  ["node:net", ["createServer", "Server", "BlockList", "isIP", "isIPv4", "isIPv6"]],
  ["node:tls", ["createServer"]]
])

/** Clients that Effect ships, by the names of their modules. */
const clients = /(?<![\w$])(?:FetchHttpClient|NodeHttpClient|NodeSocket|WebSocket|XMLHttpRequest)\b/

const opening = /(?<![.\w$])fetch\s*\(|\bglobalThis\s*\.\s*fetch\b/

/** The rule: no fetch, no client and no module that connects, outside the door. */
export const outbound: Rule = (source) => {
  if (!isShipped(source) || [door, rehearsal].some((folder) => source.path.startsWith(folder))) {
    return []
  }
  const taken = imports(source).flatMap((found): ReadonlyArray<Finding> => {
    const allowed = harmless.get(found.specifier)
    const isHarmless = allowed === undefined || found.names.every((name) => allowed.includes(name))
    if (isHarmless) return []
    return [{ path: source.path, line: found.line, rule, advice: `${found.specifier}: ${advice}` }]
  })
  const called = [opening, clients].flatMap((pattern) => findAll(source, { pattern, rule, advice }))
  return [...taken, ...called]
}
