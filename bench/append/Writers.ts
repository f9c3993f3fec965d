/**
 * Writers of one slug through several servers, and whether what they were told can have happened
 * one after the other.
 */

import { Client } from "undici"
import { sampleBody } from "../presets/SampleRequest.ts"

/** A version that was made, between two moments of an order. */
interface Attempt {
  readonly version: number
  readonly began: number
  readonly ended: number
}

/** The answers that came within the time. */
export interface Written {
  readonly perSecond: number
  readonly attempts: ReadonlyArray<Attempt>
}

interface Wanted {
  readonly addresses: ReadonlyArray<string>
  readonly key: string
  readonly writers: number
  readonly millis: number
}

/** Lets writers add versions to one slug for a time. Any answer but 200 fails. */
export const write = async ({ addresses, key, millis, writers }: Wanted): Promise<Written> => {
  const answers: Array<{ began: number; ended: number; text: string }> = []
  let moment = 0
  const startedAt = performance.now()
  const loop = async (client: Client) => {
    while (performance.now() - startedAt < millis) {
      moment += 1
      const began = moment
      const { body, statusCode } = await client.request({
        method: "POST",
        path: "/v1/presets/shared/responses",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: sampleBody
      })
      const text = await body.text()
      if (statusCode !== 200) throw new Error(`${statusCode} ${text}`)
      moment += 1
      answers.push({ began, ended: moment, text })
    }
    await client.close()
  }
  const clients = Array.from(
    { length: writers },
    (_, index) => new Client(addresses[index % addresses.length] ?? "")
  )
  await Promise.all(clients.map(loop))
  const perSecond = (answers.length * 1000) / (performance.now() - startedAt)
  return {
    perSecond,
    attempts: answers.map(({ text, ...moments }) => ({
      ...moments,
      version: JSON.parse(text).data.designated_version.version
    }))
  }
}

/** Fails unless the versions are 1, 2, 3 … and in an order in which they may have been made. */
export const check = (attempts: ReadonlyArray<Attempt>): void => {
  let latestBegan = 0
  const inOrder = attempts.toSorted((one, other) => one.version - other.version)
  for (const [index, { began, ended, version }] of inOrder.entries()) {
    if (version !== index + 1) throw new Error("versions are not dense")
    if (ended < latestBegan) throw new Error(`version ${version} came too late`)
    latestBegan = Math.max(latestBegan, began)
  }
}
