/** Every operation of the description, called by its path; the compiler finds a missing one. */
import { createClient } from "@verbatim/client"
import { document } from "@verbatim/http/description"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { makeClient } from "#src/Client"
import { quickClock } from "./Clocks.ts"
import { type Call, type Callers, corrections, type Subjects } from "./CorrectionCalls.ts"
import type { OperationId } from "./NamedCalls.ts"
import { keys, recordingUrl, type Server, startServer } from "./Server.ts"

const callback_url = "https://hooks.example.com/in"
const slug = "all"
const path = { slug }
const order = { kind: "inference" } as const

/** The key that a POST to make one answers with. */
const issue = async ({ member }: Callers) => {
  const { data } = await member.POST("/keys", { body: order })
  return { key_id: data?.data.id ?? "" }
}

const issueIn = async ({ operator }: Callers, id: string) => {
  const { data } = await operator.POST("/workspaces/{id}/keys", {
    params: { path: { id } },
    body: order
  })
  return { id, key_id: data?.data.id ?? "" }
}

const presets = {
  "presets.createFromResponses": ({ member }) =>
    member.POST("/presets/{slug}/responses", { params: { path }, body: { model: "a/b" } }),
  "presets.createFromChatCompletions": ({ member }) =>
    member.POST("/presets/{slug}/chat/completions", { params: { path }, body: { messages: [] } }),
  "presets.createFromMessages": ({ member }) =>
    member.POST("/presets/{slug}/messages", { params: { path }, body: { messages: [] } }),
  "presets.createFromVersion": ({ member }) =>
    member.POST("/presets/{slug}/versions", { params: { path }, body: { set: { model: "a/c" } } }),
  "presets.list": ({ member }) => member.GET("/presets", { params: { query: { limit: 1 } } }),
  "presets.get": ({ member }) => member.GET("/presets/{slug}", { params: { path } }),
  "presets.revise": ({ member }) =>
    member.PATCH("/presets/{slug}", { params: { path }, body: { name: "All" } }),
  "presets.versions": ({ member }) => member.GET("/presets/{slug}/versions", { params: { path } }),
  "presets.version": ({ member }) =>
    member.GET("/presets/{slug}/versions/{version}", { params: { path: { slug, version: 1 } } }),
  "presets.designate": ({ member }) =>
    member.PUT("/presets/{slug}/designated-version", { params: { path }, body: { version: 1 } }),
  "presets.designations": ({ member }) =>
    member.GET("/presets/{slug}/designations", { params: { path } }),
  "presets.diff": ({ member }) =>
    member.GET("/presets/{slug}/diff", { params: { path, query: { from: 1, to: 2 } } }),
  "resolutions.pin": ({ member }) => member.GET("/presets/{slug}/pin", { params: { path } }),
  "resolutions.preview": ({ member }) =>
    member.POST("/presets/preview", { body: { model: "some/model" } }),
  "resolutions.resolve": ({ member }) =>
    member.POST("/presets/{slug}/resolve", { params: { path }, body: { input: "Hi" } }),
  "resolutions.resolveNamed": ({ member }) =>
    member.POST("/resolve", { body: { preset: path.slug, input: "Hi" } })
} satisfies Partial<Record<OperationId, Call>>

const named = { slug, label: "production" }
const protection = { label: "gated" }

const labels = {
  "labels.move": ({ member }) =>
    member.PUT("/presets/{slug}/labels/{label}", {
      params: { path: named },
      body: { version: "latest" }
    }),
  "labels.list": ({ member }) => member.GET("/presets/{slug}/labels", { params: { path } }),
  "labels.get": ({ member }) =>
    member.GET("/presets/{slug}/labels/{label}", { params: { path: named } }),
  "labels.moves": ({ member }) =>
    member.GET("/presets/{slug}/labels/{label}/moves", { params: { path: named } }),
  "labels.remove": ({ member }) =>
    member.DELETE("/presets/{slug}/labels/{label}", { params: { path: named } }),
  "labels.protect": ({ gatekeeper }) =>
    gatekeeper.PUT("/labels/protected/{label}", { params: { path: protection } }),
  "labels.listProtected": ({ member }) => member.GET("/labels/protected"),
  "labels.unprotect": ({ gatekeeper }) =>
    gatekeeper.DELETE("/labels/protected/{label}", { params: { path: protection } }),
  "workspaceLabels.protect": ({ operator }, { workspace: id }) =>
    operator.PUT("/workspaces/{id}/labels/protected/{label}", {
      params: { path: { id, ...protection } }
    }),
  "workspaceLabels.list": ({ operator }, { workspace: id }) =>
    operator.GET("/workspaces/{id}/labels/protected", { params: { path: { id } } }),
  "workspaceLabels.unprotect": ({ operator }, { workspace: id }) =>
    operator.DELETE("/workspaces/{id}/labels/protected/{label}", {
      params: { path: { id, ...protection } }
    }),
  "presets.erase": ({ member }) =>
    member.DELETE("/presets/{slug}/versions/{version}/content", {
      params: { path: { slug, version: 2 } }
    }),
  // Only an archived one is removed.
  "presets.remove": async ({ member }) => {
    await member.PATCH("/presets/{slug}", { params: { path }, body: { status: "archived" } })
    return member.DELETE("/presets/{slug}", { params: { path } })
  }
} satisfies Partial<Record<OperationId, Call>>

const jobs = {
  "transcription.create": ({ member }) =>
    member.POST("/transcribe", { body: { url: recordingUrl, vad_filter: false } }),
  "transcription.status": ({ member }, { delivered: id }) =>
    member.GET("/status/{id}", { params: { path: { id } } }),
  "transcription.result": ({ member }, { delivered: id }) =>
    member.GET("/status/{id}/{modifier}", {
      params: { path: { id, modifier: "srt" } },
      parseAs: "text"
    }),
  "jobs.list": ({ member }) => member.GET("/transcriptions"),
  "jobs.get": ({ member }, { delivered: id }) =>
    member.GET("/transcriptions/{id}", { params: { path: { id } } }),
  "jobs.media": ({ member }, { failed: id }) =>
    member.GET("/transcriptions/{id}/media", { params: { path: { id } }, parseAs: "blob" }),
  "jobs.peaks": ({ member }, { delivered: id }) =>
    member.GET("/transcriptions/{id}/peaks", { params: { path: { id } } }),
  "jobs.history": ({ member }, { delivered: id }) =>
    member.GET("/transcriptions/{id}/history", { params: { path: { id } } }),
  ...corrections,
  "events.one": ({ member }, { delivered: id }) =>
    member.GET("/transcriptions/{id}/events", { params: { path: { id } }, parseAs: "text" }),
  "events.all": async ({ member }) => {
    const answer = await member.GET("/transcriptions/events", { parseAs: "stream" })
    // It has no end.
    await answer.response.body?.cancel()
    return answer
  },
  "jobs.redeliver": ({ member }, { delivered: id }) =>
    member.POST("/transcriptions/{id}/webhook", { params: { path: { id } } }),
  "jobs.retry": ({ member }, { failed: id }) =>
    member.POST("/transcriptions/{id}/retry", { params: { path: { id } } }),
  "jobs.remove": ({ member }, { delivered: id }) =>
    member.DELETE("/transcriptions/{id}", { params: { path: { id } } }),
  "speech.transcribe": ({ member }) =>
    member.POST("/audio/transcriptions", {
      body: { file: new Blob(["a recording"]), model: "whisper-1" },
      bodySerializer: ({ file, model }) => {
        const form = new FormData()
        form.set("model", model)
        form.set("file", file, "meeting.mp3")
        return form
      }
    }),
  "speech.models": ({ member }) => member.GET("/models"),
  "speech.model": ({ member }) =>
    member.GET("/models/{model}", { params: { path: { model: "whisper-1" } } }),
  "usage.read": ({ member }) => member.GET("/usage"),
  "usage.ownLedger": ({ member }) => member.GET("/ledger"),
  "usage.ledger": ({ operator }, { workspace: id }) =>
    operator.GET("/workspaces/{id}/ledger", { params: { path: { id } } })
} satisfies Partial<Record<OperationId, Call>>

const accounts = {
  "keys.list": ({ member }) => member.GET("/keys"),
  "keys.issue": ({ member }) => member.POST("/keys", { body: order }),
  "keys.rotate": async (callers) =>
    callers.member.POST("/keys/{key_id}/rotate", {
      params: { path: await issue(callers) },
      body: {}
    }),
  "keys.revoke": async (callers) =>
    callers.member.DELETE("/keys/{key_id}", { params: { path: await issue(callers) } }),
  "workspaces.create": ({ operator }) => operator.POST("/workspaces", { body: { name: "One" } }),
  "workspaces.list": ({ operator }) => operator.GET("/workspaces"),
  "workspaces.ensure": ({ operator }) =>
    operator.PUT("/workspaces/by-external-id/{external_id}", {
      params: { path: { external_id: "a/b c" } }
    }),
  "workspaces.get": ({ operator }, { workspace: id }) =>
    operator.GET("/workspaces/{id}", { params: { path: { id } } }),
  "workspaces.revise": ({ operator }, { workspace: id }) =>
    operator.PATCH("/workspaces/{id}", { params: { path: { id } }, body: { name: "Two" } }),
  "workspaces.credit": ({ operator }, { workspace: id }) =>
    operator.POST("/workspaces/{id}/credits", { params: { path: { id } }, body: { minutes: 1 } }),
  "workspaceKeys.list": ({ operator }, { workspace: id }) =>
    operator.GET("/workspaces/{id}/keys", { params: { path: { id } } }),
  "workspaceKeys.issue": ({ operator }, { workspace: id }) =>
    operator.POST("/workspaces/{id}/keys", { params: { path: { id } }, body: order }),
  "workspaceKeys.rotate": async (callers, { workspace }) =>
    callers.operator.POST("/workspaces/{id}/keys/{key_id}/rotate", {
      params: { path: await issueIn(callers, workspace) },
      body: {}
    }),
  "workspaceKeys.revoke": async (callers, { workspace }) =>
    callers.operator.DELETE("/workspaces/{id}/keys/{key_id}", {
      params: { path: await issueIn(callers, workspace) }
    }),
  "workspaces.remove": ({ operator }, { workspace: id }) =>
    operator.DELETE("/workspaces/{id}", { params: { path: { id } } }),
  "work.survey": ({ operator }) => operator.GET("/work"),
  "work.queueHistory": ({ operator }) => operator.GET("/work/history"),
  "system.health": ({ member }) => member.GET("/health"),
  "system.ready": ({ member }) => member.GET("/health/ready"),
  "system.welcome": ({ member }) => member.GET("/")
} satisfies Partial<Record<OperationId, Call>>

const calls: Record<OperationId, Call> = { ...presets, ...labels, ...jobs, ...accounts }

/** The operations of the description: method, and path as it is on the server. */
const described = Object.entries(document().paths).flatMap(([template, item]) => {
  const { servers, ...methods } = item as unknown as Record<string, { operationId: string }>
  const root = servers === undefined ? "/v1" : ""
  return Object.entries(methods).map(([method, { operationId }]) => ({
    id: operationId,
    method: method.toUpperCase(),
    parameters: template.split("{").length,
    path: new RegExp(`^${root}${template.replaceAll(/\{\w+\}/g, "[^/]+")}$`)
  }))
})

describe("the operations of the description", () => {
  let server: Server
  let subjects: Subjects
  const sent: Array<Request> = []
  const callerOf = (key: string) =>
    createClient({
      baseUrl: server.baseUrl,
      key,
      fetch: (request) => {
        sent.push(request)
        return fetch(request)
      }
    })

  beforeAll(async () => {
    server = await startServer()
    const { transcriptions } = makeClient(
      { baseUrl: server.baseUrl, key: keys.inference },
      quickClock
    )
    const { id: delivered } = await transcriptions.create({ url: recordingUrl, callback_url })
    await transcriptions.wait(delivered)
    await server.failEngine()
    const { id: failed } = await transcriptions.create({ url: recordingUrl })
    await transcriptions.wait(failed)
    await server.mendEngine()
    const operator = callerOf(keys.operator)
    const { data } = await operator.POST("/workspaces", { body: { name: "Zero" } })
    subjects = { delivered, failed, workspace: data?.data.id ?? "" }
  })
  afterAll(() => server.stop())

  it("are all called, at their places, and answer well", async () => {
    const operator = callerOf(keys.operator)
    const { data } = await operator.POST("/workspaces/{id}/keys", {
      params: { path: { id: subjects.workspace } },
      body: { kind: "management", scopes: ["labels:gated"] }
    })
    const gatekeeper = callerOf(data?.data.token ?? "")
    const callers = { member: callerOf(keys.management), gatekeeper, operator }
    for (const [id, call] of Object.entries(calls)) {
      const { response } = await call(callers, subjects)
      const request = sent.at(-1)
      assert.isTrue(response.ok, `${id}: ${response.status}`)
      const matching = described.filter(
        ({ method, path }) => method === request?.method && path.test(new URL(request.url).pathname)
      )
      // A parameter matches what another path says literally: that one is meant.
      const fewest = Math.min(...matching.map(({ parameters }) => parameters))
      const there = matching.filter(({ parameters }) => parameters === fewest)
      assert.deepStrictEqual(
        there.map((each) => each.id),
        [id]
      )
    }
    const ids = described.map(({ id }) => id)
    assert.sameMembers(Object.keys(calls), ids)
  })
})
