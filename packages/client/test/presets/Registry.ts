/** A scripted preset server on this machine. */
import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import { onTestFinished } from "vitest"

/** The response to a query: a version or an error. */
export type Meant =
  | {
      readonly version: number
      readonly format: "responses" | "chat_completions" | "messages"
      readonly system_prompt?: string
      /**
       * The body is text, because its numbers can have more digits than a JavaScript number can
       * hold.
       */
      readonly config: string
      readonly wins?: ReadonlyArray<string>
    }
  | { readonly status: number; readonly message: string }
  /** An error page from a proxy. */
  | { readonly page: number }

const referenceOf = (url: URL): string => {
  const slug = decodeURIComponent(url.pathname.split("/").at(-2) ?? "")
  const chosen = url.searchParams.get("version") ?? url.searchParams.get("label")
  return chosen === null ? slug : `${slug}@${chosen}`
}

/**
 * Starts a server that resolves references with `meanings`, which tests can change. A missing
 * reference gets a 404.
 */
export const startRegistry = async (meanings: Map<string, Meant>) => {
  const requests: Array<{
    readonly reference: string
    readonly headers: IncomingMessage["headers"]
  }> = []
  const server = createServer((request, out) => {
    const reference = referenceOf(new URL(request.url ?? "", "http://any.example"))
    const { headers } = request
    requests.push({ reference, headers })
    const meant = meanings.get(reference) ?? { status: 404, message: "Preset not found" }
    if ("page" in meant) {
      out.writeHead(meant.page, { "content-type": "text/html" }).end("<h1>nginx</h1>")
      return
    }
    if ("status" in meant) {
      const error = { code: meant.status, message: meant.message }
      out.writeHead(meant.status, { "content-type": "application/json" })
      out.end(JSON.stringify({ error }))
      return
    }
    const slug = reference.split("@")[0] ?? ""
    const id = `${slug}-${meant.version}`
    if (headers["if-none-match"] === `"${id}"`) {
      out.writeHead(304, { etag: `"${id}"` }).end()
      return
    }
    const { config, format, system_prompt = null, version, wins } = meant
    const fields = JSON.stringify({ slug, version, version_id: id, format, system_prompt, wins })
    out.writeHead(200, { "content-type": "application/json", etag: `"${id}"` })
    out.end(`{"data":${fields.slice(0, -1)},"config":${config}}}`)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, requests, stop: () => server.close() }
}
