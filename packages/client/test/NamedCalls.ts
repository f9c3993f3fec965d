/**
 * Each operation by its name, asked for with everything that it takes; or why it has no name. The
 * compiler finds an operation that is missing.
 */
import type { operations, TranscriptionOrder, VerbatimClient, webhooks } from "@verbatim/client"

/** All but what the server calls itself. */
export type OperationId = Exclude<keyof operations, keyof webhooks>

/** A call by name. */
export interface NamedCall {
  readonly call: (client: VerbatimClient) => PromiseLike<unknown>
  /** What the caller gives as the whole body: it has to leave as it is. */
  readonly body?: unknown
  /** Parameters and fields that have no option, and why. */
  readonly without?: Readonly<Record<string, string>>
}

/** Why an operation is called by its path alone. */
export interface Unnamed {
  readonly unnamed: string
}

const at = new Date(0)
const body = { model: "some/model" }
const page = { limit: 1, offset: 1 }
const condition = { ifMatch: "one", ifNoneMatch: "*" }
const slug = "all"
const id = "0190a0b0-0000-7000-8000-000000000000"

const creation = {
  ...condition,
  comment: "Warmer",
  idempotencyKey: "order-1",
  stage: true,
  wins: ["model"]
}

const parts = {
  ...{ from: "latest", set: body, unset: ["top_p"], system_prompt: "Be brief." },
  ...{ wins: ["model"], comment: "Warmer", stage: true }
}

const created = {
  dry_run: "`preview` with `slug` tells the same of every format",
  prefer: "`stage` says it",
  "x-session-id": "no preset keeps it"
}

const presets = {
  "presets.createFromResponses": {
    call: (client) => client.presets.createFromResponses(slug, body, creation),
    body,
    without: created
  },
  "presets.createFromChatCompletions": {
    call: (client) => client.presets.createFromChatCompletions(slug, { messages: [] }, creation),
    body: { messages: [] },
    without: created
  },
  "presets.createFromMessages": {
    call: (client) => client.presets.createFromMessages(slug, { messages: [] }, creation),
    body: { messages: [] },
    without: created
  },
  "presets.createFromVersion": {
    call: (client) =>
      client.presets.createFromVersion(slug, parts, { ...condition, idempotencyKey: "order-1" })
  },
  "presets.list": {
    call: (client) =>
      client.presets.list({ ...page, status: "active", label: "production", text: "all" })
  },
  "presets.get": { call: (client) => client.presets.get(slug) },
  "presets.revise": {
    call: (client) =>
      client.presets.revise(
        slug,
        { status: "active", name: "All", description: "All of them" },
        condition
      )
  },
  "presets.versions": { call: (client) => client.presets.versions(slug, page) },
  "presets.version": { call: (client) => client.presets.version(slug, 1) },
  "presets.designate": { call: (client) => client.presets.designate(slug, 1, condition) },
  "presets.designations": { call: (client) => client.presets.designations(slug, page) },
  "presets.diff": {
    call: (client) => client.presets.diff(slug, { from: 1, to: "latest", slug: "other" })
  },
  "presets.erase": { call: (client) => client.presets.erase(slug, 1, condition) },
  "presets.remove": { call: (client) => client.presets.remove(slug, condition) },
  "resolutions.pin": {
    call: (client) => client.presets.pin(slug, { at, label: "production", version: 1 }),
    without: { "if-none-match": "whoever keeps what was read has `presetFetch`, which sends it" }
  },
  "resolutions.preview": {
    call: (client) => client.presets.preview(body, { format: "responses", slug }),
    body
  },
  "resolutions.resolve": {
    call: (client) =>
      client.presets.resolve(slug, body, {
        at,
        format: "responses",
        label: "production",
        version: 1
      }),
    body
  },
  "resolutions.resolveNamed": {
    call: (client) => client.presets.resolveNamed({ preset: slug }, { at, format: "responses" }),
    body: { preset: slug }
  }
} satisfies Partial<Record<OperationId, NamedCall>>

const label = "production"

const ofOperators = { unnamed: "operators administer by path" }

const labels = {
  "labels.list": { call: (client) => client.presets.labels(slug) },
  "labels.get": { call: (client) => client.presets.label(slug, label) },
  "labels.move": {
    call: (client) => client.presets.moveLabel(slug, { label, version: 1 }, condition)
  },
  "labels.remove": { call: (client) => client.presets.removeLabel(slug, label, condition) },
  "labels.moves": { call: (client) => client.presets.labelMoves(slug, label, page) },
  "labels.listProtected": { call: (client) => client.presets.protectedLabels() },
  "labels.protect": { call: (client) => client.presets.protectLabel(label) },
  "labels.unprotect": { call: (client) => client.presets.unprotectLabel(label) },
  "workspaceLabels.list": ofOperators,
  "workspaceLabels.protect": ofOperators,
  "workspaceLabels.unprotect": ofOperators
} satisfies Partial<Record<OperationId, NamedCall | Unnamed>>

/** All that a body of JSON may say. */
const order: TranscriptionOrder = {
  url: "https://media.example.com/meeting.mp3",
  callback_id: "meeting-1",
  callback_url: "https://hooks.example.com/in",
  disable_diarization: false,
  initial_prompt: "Verbatim",
  keywords: ["Verbatim"],
  language: "en",
  modifier: "srt",
  speakers: 2,
  tracks: "mix",
  summary: "brief",
  template: "meeting",
  vad_filter: true
}

const write = { idempotencyKey: "order-1", ifVersion: 1 }

const ofBills = { unnamed: "a bill is read by path" }
const ofOpenAi = { unnamed: "clients of OpenAI call it" }

const jobs = {
  "transcription.create": {
    call: (client) => client.transcriptions.create(order, { idempotencyKey: "order-1" })
  },
  "transcription.status": { call: (client) => client.transcriptions.get(id, { wait: 30 }) },
  "transcription.result": { call: (client) => client.transcriptions.result(id, "word_json") },
  "jobs.list": {
    call: (client) =>
      client.transcriptions.list({
        callbackId: "meeting-1",
        createdAfter: at,
        createdBefore: at,
        cursor: id,
        limit: 1,
        status: "FAILED"
      })
  },
  "jobs.get": { call: (client) => client.transcriptions.details(id) },
  "jobs.remove": { call: (client) => client.transcriptions.remove(id) },
  "jobs.media": {
    call: (client) => client.transcriptions.media(id, { from: 1, to: 2 }),
    without: {
      "if-none-match": "whoever keeps a recording asks by path",
      "if-range": "whoever keeps a recording asks by path"
    }
  },
  "jobs.peaks": { call: (client) => client.transcriptions.peaks(id) },
  "jobs.history": { call: (client) => client.transcriptions.history(id) },
  "jobs.redeliver": { call: (client) => client.transcriptions.redeliver(id) },
  "jobs.retry": { call: (client) => client.transcriptions.retry(id) },
  "corrections.nameSpeakers": {
    call: (client) =>
      client.transcriptions.corrections.nameSpeakers(id, { speaker_0: "Ana" }, write),
    body: { speaker_0: "Ana" }
  },
  "corrections.correctSegments": {
    call: (client) => client.transcriptions.corrections.correctSegments(id, [{ index: 0 }], write),
    body: [{ index: 0 }]
  },
  "corrections.goBack": {
    call: (client) => client.transcriptions.corrections.goBack(id, 0, write)
  },
  "corrections.list": {
    call: (client) =>
      client.transcriptions.corrections.get(id, { before: 1, fromSegment: 1, limit: 1 })
  },
  "corrections.get": { call: (client) => client.transcriptions.corrections.version(id, 1) },
  "events.one": {
    call: (client) => client.transcriptions.events(id, { after: "1" }).next(),
    without: { "last-event-id": "the query says it" }
  },
  "events.all": {
    call: (client) => client.transcriptions.allEvents({ after: "1" }).next(),
    without: { "last-event-id": "the query says it" }
  },
  "speech.transcribe": ofOpenAi,
  "speech.models": ofOpenAi,
  "speech.model": ofOpenAi,
  "usage.ledger": ofBills,
  "usage.ownLedger": ofBills,
  "usage.read": ofBills
} satisfies Partial<Record<OperationId, NamedCall | Unnamed>>

const ofKeys = { unnamed: "keys are administered by path" }
const ofSystem = { unnamed: "whether a server is up is asked by path" }

const accounts = {
  "keys.list": ofKeys,
  "keys.issue": ofKeys,
  "keys.rotate": ofKeys,
  "keys.revoke": ofKeys,
  "workspaces.create": ofOperators,
  "workspaces.list": ofOperators,
  "workspaces.ensure": ofOperators,
  "workspaces.get": ofOperators,
  "workspaces.revise": ofOperators,
  "workspaces.remove": ofOperators,
  "workspaces.credit": ofOperators,
  "workspaceKeys.list": ofOperators,
  "workspaceKeys.issue": ofOperators,
  "workspaceKeys.rotate": ofOperators,
  "workspaceKeys.revoke": ofOperators,
  "work.survey": ofOperators,
  "work.queueHistory": ofOperators,
  "system.health": ofSystem,
  "system.ready": ofSystem,
  "system.welcome": ofSystem
} satisfies Partial<Record<OperationId, Unnamed>>

/** Every operation. */
export const namedCalls: Readonly<Record<OperationId, NamedCall | Unnamed>> = {
  ...presets,
  ...labels,
  ...jobs,
  ...accounts
}
