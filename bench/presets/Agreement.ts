/**
 * Whether two servers do the same: one answer has the same fields, and each wrong request is
 * refused by both. Without that, their speeds say nothing.
 */
import { deepStrictEqual, strictEqual } from "node:assert/strict"
import { refusedBodies, sampleBody } from "./SampleRequest.ts"

interface Sides {
  readonly ours: string
  readonly peer: string
  readonly key: string
}

/** What may differ between two servers: identities and instants. */
const isOwn = (text: string): boolean => /[0-9a-f-]{36}$|^\d{4}-\d\d-\d\dT/.test(text)

const comparable = (text: string): unknown =>
  JSON.parse(text, (_, value: unknown) =>
    typeof value === "string" && isOwn(value) ? value.replace(/[0-9a-f]/g, "0") : value
  )

/** Fails when the servers differ. */
export const agree = async ({ key, ours, peer }: Sides): Promise<void> => {
  const post = async (address: string, body: string) => {
    const response = await fetch(`${address}/v1/presets/agreement/responses`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body
    })
    return { status: response.status, text: await response.text() }
  }
  const [first, second] = [await post(ours, sampleBody), await post(peer, sampleBody)]
  deepStrictEqual([first.status, second.status], [200, 200], `${first.text} ${second.text}`)
  deepStrictEqual(comparable(first.text), comparable(second.text))
  for (const body of refusedBodies) {
    strictEqual((await post(ours, body)).status, 400, `ours takes ${body}`)
    strictEqual((await post(peer, body)).status, 400, `the peer takes ${body}`)
  }
}
