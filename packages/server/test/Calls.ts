/** Sends requests to a server in this process. */
import { Effect } from "effect"
import { inferenceKey, managementKey, port } from "./Serving.ts"

/** Options of a request. The default key is for inference. */
type Call = RequestInit & { readonly key?: string }

/** Sends a request and parses the response as JSON. */
export const call = (path: string, { key = inferenceKey, ...init }: Call = {}) =>
  Effect.flatMap(port, (port) =>
    Effect.promise(async () => {
      const headers = { authorization: `Bearer ${key}`, ...init.headers }
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, { ...init, headers })
      const text = await answer.text()
      return {
        status: answer.status,
        retryAfter: answer.headers.get("retry-after"),
        json: text === "" ? undefined : JSON.parse(text)
      }
    })
  )

/** Stores a version of a preset. */
export const createPreset = (slug: string) =>
  call(`/v1/presets/${slug}/responses`, {
    key: managementKey,
    method: "POST",
    headers: { "content-type": "application/json" },
    body: '{"model":"m"}'
  })
