/** Every operation of the description, called by its name over HTTP. */
import { createClient } from "@verbatim/client"
import { document } from "@verbatim/http/description"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { makeClient } from "#src/Client"
import { quickClock } from "./Clocks.ts"
import {
  type Callers,
  callByName,
  type OperationId,
  operationCalls,
  type Subjects
} from "./OperationCalls.ts"
import { keys, recordingUrl, type Server, startServer } from "./Server.ts"

const callback_url = "https://hooks.example.com/in"

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
  let callers: Callers
  const sent: Array<Request> = []
  const clientOf = (key: string) =>
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
    const quick = makeClient({ baseUrl: server.baseUrl, key: keys.inference }, quickClock)
    const { id: delivered } = await quick.transcriptions.create({ url: recordingUrl, callback_url })
    await quick.transcriptions.wait(delivered)
    await server.failEngine()
    const { id: failed } = await quick.transcriptions.create({ url: recordingUrl })
    await quick.transcriptions.wait(failed)
    await server.mendEngine()
    const [member, operator] = [clientOf(keys.management), clientOf(keys.operator)]
    await member.presets.createFromResponses("archived", {})
    await member.presets.revise("archived", { status: "archived" })
    const { id: workspace } = await operator.workspaces.create({ name: "Zero" })
    const order = { kind: "management", scopes: ["labels:gated", "presets:read"] } as const
    const { token } = await operator.workspaces.keys.issue(workspace, order)
    subjects = { delivered, failed, workspace, recordingUrl }
    callers = { member, operator, gatekeeper: clientOf(token) }
  })
  afterAll(() => server.stop())

  it("are all called by name, at their paths, and answer", async () => {
    const answers: Partial<Record<OperationId, unknown>> = {}
    for (const [name, { by, given }] of Object.entries(operationCalls)) {
      const id = name as OperationId
      answers[id] = await callByName(callers[by], id, given(subjects, answers))
      const request = sent.at(-1)
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
    const ids = described.map((each) => each.id)
    assert.sameMembers(Object.keys(operationCalls), ids)
  })
})
