/** Requests to a server in this process, and what it answers. */
import { Effect } from "effect"
import { inferenceKey, managementKey, port } from "./Serving.ts"

/** What a request says beside its path; without a key it has that of inference. */
type Call = RequestInit & { readonly key?: string }

/** Asks, and reads the answer as JSON. */
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
