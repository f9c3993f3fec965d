/**
 * Implements persistent clients. If the response to a request is lost, a client sends the request
 * again to another process, with the same idempotency key.
 */
import { setTimeout as sleep } from "node:timers/promises"
import type { Dice } from "./Dice.ts"

export interface Accepted {
  readonly id: string
  readonly callbackId: string
}

/** Options that all clients share. */
export interface ClientOptions {
  readonly addresses: ReadonlyArray<string>
  readonly key: string
  readonly dice: Dice
}

/** Sends a request. Returns undefined if the process or its store could not be reached. */
const trySend = async (
  { addresses, dice, key }: ClientOptions,
  { init = {}, path }: { readonly path: string; readonly init?: RequestInit }
): Promise<Response | undefined> => {
  const address = addresses[dice.below(addresses.length)]
  const headers = { authorization: `Bearer ${key}`, ...init.headers }
  const answer = await fetch(`${address}${path}`, {
    ...init,
    headers,
    signal: AbortSignal.timeout(10_000)
  }).catch(() => undefined)
  // A 500 means that the store is unreachable; the request may still have been carried out.
  return answer !== undefined && answer.status < 500 ? answer : undefined
}

const clientCount = 8

/** Handles several items concurrently, and returns the results in the order of the items. */
export const forEach = async <A, B>(
  all: ReadonlyArray<A>,
  each: (one: A) => Promise<B>
): Promise<ReadonlyArray<B>> => {
  const done = new Array<B>(all.length)
  const entries = all.entries()
  const client = async () => {
    for (const [index, one] of entries) done[index] = await each(one)
  }
  await Promise.all(Array.from({ length: clientCount }, client))
  return done
}

/** Repeats a request until there is a response, for a few minutes at most. */
export const insist = async <A>(
  way: ClientOptions,
  request: { readonly path: string; readonly init?: () => RequestInit }
): Promise<A> => {
  for (let tries = 0; tries < 1_200; tries += 1) {
    const answer = await trySend(way, { path: request.path, init: request.init?.() ?? {} })
    const body = await answer?.json().catch(() => undefined)
    if (answer?.ok && body !== undefined) return body as A
    if (answer !== undefined && !answer.ok) {
      throw new Error(`${request.path}: ${answer.status} ${JSON.stringify(body)}`)
    }
    await sleep(200)
  }
  throw new Error(`nobody answered ${request.path}`)
}

const form = (parameters: Readonly<Record<string, string>>, bytes: number): FormData => {
  const body = new FormData()
  for (const [name, value] of Object.entries(parameters)) body.set(name, value)
  body.set("file", new Blob([new Uint8Array(bytes)]), "meeting.wav")
  return body
}

/** Submits jobs at a given pace, and returns the jobs once all are accepted. */
export const submitAll = async (
  way: ClientOptions,
  {
    callbackUrl,
    jobs,
    onAccepted,
    paceMillis
  }: {
    readonly jobs: number
    readonly callbackUrl: string
    readonly paceMillis: number
    readonly onAccepted: (count: number) => void
  }
): Promise<ReadonlyArray<Accepted>> => {
  const startedAt = Date.now()
  let accepted = 0
  return forEach([...Array(jobs).keys()], async (number) => {
    await sleep(Math.max(0, startedAt + number * paceMillis - Date.now()))
    const callbackId = `job-${number}`
    const parameters = {
      callback_url: callbackUrl,
      callback_id: callbackId,
      ...(number % 4 === 0 ? { summary: "brief" } : {})
    }
    const { id } = await insist<{ id: string }>(way, {
      path: "/v1/transcribe",
      init: () => ({
        method: "POST",
        headers: { "idempotency-key": callbackId },
        body: form(parameters, 100 + (number % 900))
      })
    })
    accepted += 1
    onAccepted(accepted)
    return { id, callbackId }
  })
}
