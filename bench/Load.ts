/**
 * A closed loop of requests: each of some connections sends its next request when the answer to the
 * one before has come whole. Every answer must be a 200: a fast refusal is not a measurement.
 */
import { Client, type Dispatcher } from "undici"

/** A request that is sent again and again. */
export type LoadRequest = Dispatcher.RequestOptions

/** Where to send what, over how many connections, for how long. */
export interface Load {
  readonly address: string
  /** Sent in turn, from the first one on in each stretch of time. */
  readonly requests: ReadonlyArray<LoadRequest>
  readonly connections: number
  readonly millis: number
}

/** The answers that came within the time. */
export interface Answered {
  readonly answers: number
  readonly perSecond: number
}

/** Sends requests until the time is over and the last answers have come. */
export const send = async ({ address, connections, millis, requests }: Load): Promise<Answered> => {
  const clients = Array.from({ length: connections }, () => new Client(address))
  const startedAt = performance.now()
  let answers = 0
  let next = 0
  const loop = async (client: Client) => {
    while (performance.now() - startedAt < millis) {
      const request = requests[next % requests.length]
      next += 1
      if (request === undefined) throw new Error("there is nothing to send")
      const { body, statusCode } = await client.request(request)
      if (statusCode !== 200) throw new Error(`${statusCode} ${await body.text()}`)
      await body.dump()
      answers += 1
    }
  }
  await Promise.all(clients.map(loop))
  const seconds = (performance.now() - startedAt) / 1000
  await Promise.all(clients.map((client) => client.close()))
  return { answers, perSecond: answers / seconds }
}
