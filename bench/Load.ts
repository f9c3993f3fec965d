/**
 * A closed-loop load generator: each connection sends its next request as soon as the previous
 * response is complete. Every response must have status 200, because measuring fast refusals would
 * be useless.
 */
import { Client, type Dispatcher } from "undici"
import type { MeasuredChild } from "./Child.ts"
import { median, type Rounds, ratio } from "./Rounds.ts"

/** A request that the benchmark sends repeatedly. */
export type LoadRequest = Dispatcher.RequestOptions

/**
 * The load to generate: a server's address, requests, the number of connections, and the duration.
 */
export interface Load {
  readonly address: string
  /** The requests, which are sent in turn. Each period starts with the first request. */
  readonly requests: ReadonlyArray<LoadRequest>
  readonly connections: number
  readonly millis: number
}

/** The number of responses within the period, and their rate. */
export interface Answered {
  readonly answers: number
  readonly perSecond: number
}

/** Sends requests until the period has ended, and waits for the last responses. */
export const send = async ({ address, connections, millis, requests }: Load): Promise<Answered> => {
  const clients = Array.from({ length: connections }, () => new Client(address))
  const startedAt = performance.now()
  let answers = 0
  let next = 0
  const loop = async (client: Client) => {
    while (performance.now() - startedAt < millis) {
      const request = requests[next % requests.length]
      next += 1
      if (request === undefined) throw new Error("there are no requests to send")
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

/** Requests per second, and the CPU time per request. */
interface Cost {
  readonly perSecond: number
  readonly cpuMicros: number
}

/** Sends requests to one server and returns their cost. */
export const cost = async (
  { address, cpu }: MeasuredChild,
  load: Omit<Load, "address">
): Promise<Cost> => {
  const before = await cpu()
  const { answers, perSecond } = await send({ address, ...load })
  return { perSecond, cpuMicros: ((await cpu()) - before) / answers }
}

/** Prints both sides' medians, and the median of their ratios. */
export const printCosts = (rounds: Rounds<Cost>): void => {
  for (const [name, figure] of [
    ["per second", "perSecond"],
    ["µs of CPU", "cpuMicros"]
  ] as const) {
    const ours = rounds.ours.map((each) => each[figure])
    const peer = rounds.peer.map((each) => each[figure])
    console.log(
      `${name.padEnd(14)} ${median(ours).toFixed(0)}, the peer ${median(peer).toFixed(0)}, ` +
        `ratio ${ratio({ ours, peer }).toFixed(2)}`
    )
  }
}
