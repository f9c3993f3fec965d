/** Sends the growth benchmark's requests, and measures their durations. */
import { setTimeout as sleep } from "node:timers/promises"
import { tone, wav } from "@verbatim/testkit/samples"
import { type Dispatcher, FormData, Pool } from "undici"
import { sampleBody } from "../presets/SampleRequest.ts"
import { alternate, type Rounds, repeat } from "../Rounds.ts"

/** The workspace keys in a new store. */
export const keys = {
  management: "bench-management-key-0123456789abcdef",
  inference: "bench-inference-key-0123456789abcdef"
}

interface Asking {
  readonly method?: Dispatcher.HttpMethod
  readonly body?: string | FormData
}

/** Sends a request, and returns the complete response. Fails on an error status. */
type Ask = (path: string, asking?: Asking) => Promise<string>

const connections = 16

/** Returns a function that sends requests to one server, over connections that stay open. */
export const makeAsk = (address: string): Ask => {
  const client = new Pool(address, { connections })
  return async (path, { body = null, method = "GET" } = {}) => {
    const isPresets = /^.v1.(presets|usage|ledger)/.test(path)
    const authorization = `Bearer ${isPresets ? keys.management : keys.inference}`
    const type = typeof body === "string" ? { "content-type": "application/json" } : {}
    const answer = await client.request({ path, method, body, headers: { authorization, ...type } })
    const text = await answer.body.text()
    if (answer.statusCode >= 400) throw new Error(`${method} ${path} ${answer.statusCode} ${text}`)
    return text
  }
}

/** Creates a recording that lasts the given number of seconds. */
const recording = (seconds: number): Blob => {
  const audio = { channels: 1, sampleRate: 8_000, sampleCount: 8_000 * seconds }
  return new Blob([wav(audio, tone(audio))])
}

const short = recording(5)

/**
 * Length in seconds of the long recording. A server accepts text only if it could have been spoken
 * within the recording. This length allows 100,000 segments.
 */
export const longSeconds = 600

const pollMillis = 20

const isEnded = (status: string): boolean => /"(COMPLETED|FAILED|WEBHOOK\w+)"/.test(status)

/** Uploads a recording, waits for its transcript, and returns the job's id. */
const transcribe = async (ask: Ask, audio = short): Promise<string> => {
  const body = new FormData()
  body.set("file", audio, "a.wav")
  const { id } = JSON.parse(await ask("/v1/transcribe", { method: "POST", body }))
  for (;;) {
    const status = await ask(`/v1/status/${id}`)
    if (status.includes('"FAILED"')) throw new Error(status)
    if (isEnded(status)) return id
    await sleep(pollMillis)
  }
}

const createVersion = (ask: Ask, slug: string) =>
  ask(`/v1/presets/${slug}/responses`, { method: "POST", body: sampleBody })

const moveLabel = (ask: Ask, turn: number) =>
  ask("/v1/presets/notes/labels/prod", {
    method: "PUT",
    body: JSON.stringify({ version: 1 + (turn % 2) })
  })

/** The jobs created in a new store. */
export interface Planted {
  readonly shortId: string
  readonly longId: string
}

/** Creates presets, versions of one preset with as many moves of its label, and two jobs. */
export const plant = async (
  ask: Ask,
  { presets, versions }: { readonly presets: number; readonly versions: number }
): Promise<Planted> => {
  await repeat(presets, connections, (turn) => createVersion(ask, `sample-${turn}`))
  for (let turn = 0; turn < 2; turn += 1) await createVersion(ask, "notes")
  await repeat(versions, connections, async (turn) => {
    await createVersion(ask, "notes")
    await moveLabel(ask, turn)
  })
  return { shortId: await transcribe(ask), longId: await transcribe(ask, recording(longSeconds)) }
}

const halfYearAgo = new Date(Date.now() - 182 * 86_400_000).toISOString()

const reads = ({ longId, shortId: id }: Planted): Readonly<Record<string, string>> => ({
  "list jobs": "/v1/transcriptions?limit=20",
  "list jobs, 100": "/v1/transcriptions?limit=100",
  "list jobs, status": "/v1/transcriptions?limit=20&status=COMPLETED",
  "list jobs, none failed": "/v1/transcriptions?limit=20&status=FAILED",
  "list jobs, no callback_id": "/v1/transcriptions?limit=20&callback_id=nope",
  "list jobs, half a year ago": `/v1/transcriptions?limit=20&created_before=${halfYearAgo}`,
  "job status": `/v1/status/${id}`,
  "job text": `/v1/status/${id}/paragraph_text`,
  "job history": `/v1/transcriptions/${id}/history`,
  "job peaks": `/v1/transcriptions/${id}/peaks`,
  "long status": `/v1/status/${longId}`,
  "long text": `/v1/status/${longId}/paragraph_text`,
  "list presets": "/v1/presets?limit=20",
  "list presets, from 5,000": "/v1/presets?limit=20&offset=5000",
  "list presets, label": "/v1/presets?limit=20&label=prod",
  "list presets, text": "/v1/presets?limit=20&text=sample-1",
  "list presets, status": "/v1/presets?limit=20&status=active",
  "get preset": "/v1/presets/notes",
  "pin preset": "/v1/presets/notes/pin",
  "list versions": "/v1/presets/notes/versions?limit=20",
  "list versions, from 5,000": "/v1/presets/notes/versions?limit=20&offset=5000",
  "compare versions": "/v1/presets/notes/diff?from=1&to=2",
  "list designations": "/v1/presets/notes/designations?limit=20",
  "list label moves": "/v1/presets/notes/labels/prod/moves?limit=20",
  "list labels": "/v1/presets/notes/labels",
  "usage by day": "/v1/usage?by=day",
  "usage by key": "/v1/usage?by=key",
  ledger: "/v1/ledger?limit=20",
  ready: "/health/ready"
})

type Question = (turn: number) => Promise<unknown>

const writes = (ask: Ask): Readonly<Record<string, Question>> => {
  const made: Array<string> = []
  return {
    "resolve preset": () =>
      ask("/v1/presets/notes/resolve", { method: "POST", body: '{"input":"hi"}' }),
    "move label": (turn) => moveLabel(ask, turn),
    "new version": () => createVersion(ask, "notes"),
    "new preset": (turn) => createVersion(ask, `made-${turn}`),
    "archive preset": (turn) =>
      ask(`/v1/presets/made-${turn}`, { method: "PATCH", body: '{"status":"archived"}' }),
    "delete preset": (turn) => ask(`/v1/presets/made-${turn}`, { method: "DELETE" }),
    "transcribe 5 s": async () => made.push(await transcribe(ask)),
    "delete job": () => ask(`/v1/transcriptions/${made.pop()}`, { method: "DELETE" })
  }
}

/** A server that gets the requests, and the jobs to read from it. */
export interface Asked {
  readonly ask: Ask
  readonly planted: Planted
}

const questionsOf = ({ ask, planted }: Asked): Readonly<Record<string, Question>> => ({
  ...Object.fromEntries(
    Object.entries(reads(planted)).map(([name, path]) => [name, () => ask(path)])
  ),
  ...writes(ask)
})

const usualTurns = 15
const warmUpCount = 3

/** The number of rounds for slow requests. */
const fewTurns = 5

/** Sends each request to both servers in turn, and returns the durations in milliseconds. */
export const measureAll = async (
  servers: Readonly<Record<"ours" | "peer", Asked>>
): Promise<ReadonlyMap<string, Rounds<number>>> => {
  const questions = { ours: questionsOf(servers.ours), peer: questionsOf(servers.peer) }
  const found = new Map<string, Rounds<number>>()
  for (const name of Object.keys(questions.ours)) {
    const isLong = /^long|^transcribe|^delete job/.test(name)
    const turns = { ours: 0, peer: 0 }
    const time = async (side: "ours" | "peer") => {
      const startedAt = performance.now()
      await questions[side][name]?.(turns[side])
      turns[side] += 1
      return performance.now() - startedAt
    }
    await alternate(isLong ? 0 : warmUpCount, time)
    found.set(name, await alternate(isLong ? fewTurns : usualTurns, time))
  }
  return found
}
