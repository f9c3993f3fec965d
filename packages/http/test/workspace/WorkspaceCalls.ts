/** Calls the operations on workspaces and keys, and creates workspaces with keys and charges. */

import { assert } from "@effect/vitest"
import type { JobStore, WorkQueue } from "@verbatim/core/ports"
import { ApiKeyId, WorkspaceId } from "@verbatim/core/workspace"
import { attemptStarted, commitJob, insertJob, makeUploadJob } from "@verbatim/testkit/samples"
import { type DateTime, Effect } from "effect"
import { json } from "../Bodies.ts"
import * as Deployment from "../Deployment.ts"

/** A request whose path is relative to `/v1`. */
export interface WorkspaceCall extends Deployment.Call {
  readonly path: string
  /** A body to send as JSON. */
  readonly json?: unknown
}

/** Sends a request with the operator key by default. */
export const send = Effect.fnUntraced(function* ({ path, ...call }: WorkspaceCall) {
  const deployment = yield* Deployment.Deployment
  const sent = call.json === undefined ? { headers: {} } : json(call.json)
  const headers = { ...sent.headers, ...call.headers }
  const key = Deployment.operatorKey
  return yield* deployment.call(`/v1${path}`, { key, ...sent, ...call, headers })
})

/** Sends a request, and parses the response as JSON. */
export const fetchJson = (sent: WorkspaceCall) =>
  Effect.map(send(sent), (answer) => {
    const body: ReturnType<typeof JSON.parse> = answer.text === "" ? null : JSON.parse(answer.text)
    return { ...answer, body }
  })

/** Sends a request that must succeed, and returns the data of the response. */
export const dataOf = Effect.fnUntraced(function* (sent: WorkspaceCall) {
  const { body, status, text } = yield* fetchJson(sent)
  assert.strictEqual(status, 200, `${sent.path}: ${text}`)
  return body.data
})

/** Returns the status and message of an error response. */
export const refusalOf = (sent: WorkspaceCall) =>
  Effect.map(fetchJson(sent), ({ body, status }) => [status, body?.error?.message])

/** The status and message of the refusal of a request that breaks a rule. */
export const broken = (problem: string) => [400, `Invalid request parameters: ${problem}`]

/** Creates a workspace, and returns the workspace's id. */
export const makeWorkspace = (name: string, external_id: string | null = null) =>
  Effect.map(dataOf({ path: "/workspaces", json: { name, external_id } }), ({ id }): string => id)

export interface Issued {
  readonly id: string
  readonly token: string
  readonly user_id: string
}

export const issueKey = (workspace: string, order: object) =>
  Effect.map(dataOf({ path: `/workspaces/${workspace}/keys`, json: order }), (key): Issued => key)

/** Creates a workspace with a key of each kind and 600 minutes. */
export const makeTenant = Effect.fnUntraced(function* (
  name: string,
  external_id: string | null = null
) {
  const id = yield* makeWorkspace(name, external_id)
  yield* dataOf({ path: `/workspaces/${id}/credits`, json: { minutes: 600 } })
  const management = yield* issueKey(id, { kind: "management", name: `${name} management` })
  const inference = yield* issueKey(id, { kind: "inference", name: `${name} inference` })
  return { id, management, inference }
})

/** A charge for a job: amount, time and key. */
interface Charge {
  readonly key: string
  readonly at: DateTime.Utc
  readonly millis: number
}

let jobs = 0

/** Charges a workspace for a job, and returns the job's number. */
export const chargeJob = Effect.fnUntraced(function* (
  workspace: string,
  { at, key, millis }: Charge
): Effect.fn.Return<{ readonly number: number }, unknown, JobStore | WorkQueue> {
  jobs += 1
  const number = jobs
  const owner = { workspaceId: WorkspaceId.make(workspace), keyId: ApiKeyId.make(key) }
  const job = yield* insertJob(makeUploadJob(number, owner))
  yield* commitJob(job, { events: [attemptStarted()], chargeMillis: millis, at })
  return { number }
})
