/**
 * Defines a call by name for every operation, in an order that works. A missing operation is a type
 * error.
 */
import type { operations, VerbatimClient, webhooks } from "@verbatim/client"

export type OperationId = Exclude<keyof operations, keyof webhooks>

/** Ids and URLs that the calls use. The test creates these resources first. */
export interface Subjects {
  readonly failed: string
  readonly delivered: string
  /** Jobs for operators: one that failed, and one whose webhook was delivered. */
  readonly failing: string
  readonly notified: string
  readonly workspace: string
  readonly recordingUrl: string
}

/**
 * The clients that make the calls, by kind of key. The gatekeeper's key has the scope for the label
 * `gated`.
 */
type Caller = "gatekeeper" | "member" | "operator"

export type Callers = Readonly<Record<Caller, VerbatimClient>>

/** Responses to earlier calls, by operation. */
type Answers = Readonly<Partial<Record<OperationId, unknown>>>

/** A call of one operation: the client that makes it, and its arguments. */
export interface OperationCall {
  readonly by: Caller
  readonly given: (subjects: Subjects, answers: Answers) => ReadonlyArray<unknown>
}

const calls = <const Id extends OperationId>(
  by: Caller,
  given: Readonly<Record<Id, OperationCall["given"]>>
): Record<Id, OperationCall> =>
  Object.fromEntries(
    Object.entries<OperationCall["given"]>(given).map(([id, each]) => [id, { by, given: each }])
  ) as Record<Id, OperationCall>

const idOf = (answer: unknown): string => String(Object(answer).id)

const slug = "all"
const label = "production"
const gated = "gated"
const order = { kind: "inference" } as const

const presets = calls("member", {
  "presets.createFromResponses": () => [slug, { model: "a/b" }],
  "presets.createFromChatCompletions": () => [slug, { messages: [] }, { comment: "Warmer" }],
  "presets.createFromMessages": () => [slug, { messages: [] }],
  "presets.createFromVersion": () => [slug, { set: { model: "a/c" } }],
  "presets.list": () => [{ limit: 1 }],
  "presets.get": () => [slug],
  "presets.revise": () => [slug, { name: "All" }],
  "presets.versions": () => [slug],
  "presets.version": () => [slug, 1],
  "presets.designate": () => [slug, { version: 1 }],
  "presets.designations": () => [slug],
  "presets.diff": () => [slug, { from: 1, to: 2 }],
  "presets.pin": () => [slug],
  "presets.preview": () => [{ model: "some/model" }],
  "presets.resolve": () => [slug, { input: "Hi" }],
  "presets.resolveNamed": () => [{ preset: slug, input: "Hi" }],
  "presets.labels.move": () => [slug, label, { version: "latest" }],
  "presets.labels.list": () => [slug],
  "presets.labels.get": () => [slug, label],
  "presets.labels.moves": () => [slug, label],
  "presets.labels.remove": () => [slug, label]
})

const protections = {
  ...calls("gatekeeper", {
    "presets.labels.protect": () => [gated],
    "presets.labels.listProtected": () => [],
    "presets.labels.unprotect": () => [gated]
  }),
  ...calls("operator", {
    "workspaces.labels.protect": ({ workspace }) => [workspace, gated],
    "workspaces.labels.listProtected": ({ workspace }) => [workspace],
    "workspaces.labels.unprotect": ({ workspace }) => [workspace, gated]
  })
}

const endings = calls("member", {
  "presets.erase": () => [slug, 2],
  // Only archived presets can be removed, and the test has archived this one.
  "presets.remove": () => ["archived"]
})

const jobs = calls("member", {
  // This call comes first, because later calls change the list of jobs.
  "transcriptions.list": () => [],
  "transcriptions.create": ({ recordingUrl: url }) => [{ url, vad_filter: false }],
  "transcriptions.quote": ({ recordingUrl: url }) => [{ url }],
  "transcriptions.get": ({ delivered }) => [delivered],
  "transcriptions.result": ({ delivered }) => [delivered, "srt"],
  "transcriptions.details": ({ delivered }) => [delivered],
  "transcriptions.media": ({ failed }) => [failed],
  "transcriptions.peaks": ({ delivered }) => [delivered],
  "transcriptions.history": ({ delivered }) => [delivered],
  "transcriptions.corrections.nameSpeakers": ({ delivered }) => [delivered, { speaker_0: "Ana" }],
  "transcriptions.corrections.correctSegments": ({ delivered }) => [
    delivered,
    [{ index: 0, text: "Hello." }]
  ],
  "transcriptions.corrections.get": ({ delivered }) => [delivered],
  "transcriptions.corrections.version": ({ delivered }) => [delivered, 1],
  "transcriptions.corrections.goBack": ({ delivered }) => [delivered, { version: 0 }],
  "transcriptions.events": ({ delivered }) => [delivered],
  "transcriptions.allEvents": () => [],
  "transcriptions.redeliver": ({ delivered }) => [delivered],
  "transcriptions.retry": ({ failed }) => [failed],
  "transcriptions.act": ({ delivered }) => [{ action: "retry", ids: [delivered] }],
  "transcriptions.remove": ({ delivered }) => [delivered],
  "speech.transcribe": () => [
    { file: new File(["a recording"], "meeting.mp3"), model: "whisper-1" }
  ],
  "speech.models": () => [],
  "speech.model": () => ["whisper-1"],
  "usage.read": () => [],
  "usage.ledger": () => [],
  "keys.list": () => [],
  "keys.issue": () => [order],
  "keys.rotate": (_, answers) => [idOf(answers["keys.issue"]), {}],
  "keys.revoke": (_, answers) => [idOf(answers["keys.rotate"])]
})

const accounts = calls("operator", {
  "workspaces.create": () => [{ name: "One" }],
  "workspaces.list": () => [],
  "workspaces.ensure": () => ["a/b c"],
  "workspaces.get": ({ workspace }) => [workspace],
  "workspaces.revise": ({ workspace }) => [workspace, { name: "Two" }],
  "workspaces.credit": ({ workspace }) => [workspace, { minutes: 1 }],
  "workspaces.ledger": ({ workspace }) => [workspace],
  "workspaces.keys.list": ({ workspace }) => [workspace],
  "workspaces.keys.issue": ({ workspace }) => [workspace, order],
  "workspaces.keys.rotate": ({ workspace }, answers) => [
    workspace,
    idOf(answers["workspaces.keys.issue"]),
    {}
  ],
  "workspaces.keys.revoke": ({ workspace }, answers) => [
    workspace,
    idOf(answers["workspaces.keys.rotate"])
  ],
  "workspaces.remove": ({ workspace }) => [workspace],
  "work.survey": () => [],
  "work.jobs": () => [{ status: "FAILED" }],
  "work.retry": ({ failing }) => [failing],
  "work.redeliver": ({ notified }) => [notified],
  "work.remove": ({ notified }) => [notified],
  "work.act": () => [{ action: "cancel" }, { status: "FAILED" }],
  "work.pause": () => [{ tasks: ["Summarize", "Fetch"] }],
  "work.queueHistory": () => [],
  "system.health": () => [],
  "system.ready": () => [],
  "system.welcome": () => []
})

const streams: ReadonlySet<OperationId> = new Set([
  "transcriptions.events",
  "transcriptions.allEvents"
])

export const operationCalls: Readonly<Record<OperationId, OperationCall>> = {
  ...presets,
  ...protections,
  ...endings,
  ...jobs,
  ...accounts
}

/** Calls an operation by name. For an event stream, checks only that it opens. */
export const callByName = async (
  client: VerbatimClient,
  id: OperationId,
  given: ReadonlyArray<unknown>
): Promise<unknown> => {
  const parts = id.split(".")
  const name = parts.pop() ?? ""
  const group = parts.reduce((within: unknown, part) => Reflect.get(Object(within), part), client)
  const method: (...given: Array<unknown>) => unknown = Reflect.get(Object(group), name)
  if (!streams.has(id)) return Reflect.apply(method, group, [...given])
  const leaving = new AbortController()
  const answered = new Promise<void>((resolve) => {
    client.use({ onResponse: () => resolve() })
  })
  const options = { signal: leaving.signal }
  const events = method(...given, options) as AsyncGenerator<unknown>
  const first = events.next()
  const ended = first.catch(() => undefined)
  await Promise.race([answered, first])
  leaving.abort()
  await ended
  return "events"
}
