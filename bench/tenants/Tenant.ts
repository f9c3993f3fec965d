/**
 * A workspace that sends recordings at its own pace, and one that sends as fast as it can.
 */
import { Agent, request } from "undici"

/** A workspace and where it sends. */
export interface Tenant {
  readonly key: string
  readonly address: string
}

/** What is sent of each recording: the engine does not listen. */
const content = "a recording"

const boundary = "verbatim-bench"

const bodyOf = (fields: Readonly<Record<string, string>>): string => {
  const parts = Object.entries(fields).map(
    ([name, value]) =>
      `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  )
  const file = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.wav"\r\n`
  return `${parts.join("")}${file}content-type: audio/wav\r\n\r\n${content}\r\n--${boundary}--\r\n`
}

/** Sends a recording, and returns the status of the answer. */
export const upload = async (
  { address, key }: Tenant,
  { agent, ...fields }: { agent: Agent; callback_url: string; callback_id: string }
): Promise<number> => {
  const { body, statusCode } = await request(`${address}/v1/transcribe`, {
    method: "POST",
    dispatcher: agent,
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": `multipart/form-data; boundary=${boundary}`
    },
    body: bodyOf(fields)
  })
  await body.dump()
  return statusCode
}

/** Connections of all tenants together: each process allows more from one address. */
export const makeAgent = (): Agent => new Agent({ connections: 64 })
