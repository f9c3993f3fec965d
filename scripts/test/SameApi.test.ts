/**
 * Tests that each operation in the API description has the same result through the client, in
 * process and through `verbatim api`. If a new operation has no call here, this file does not
 * compile.
 */
import { rmSync } from "node:fs"
import { mkdtemp, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createClient, type VerbatimClient } from "@verbatim/client"
import { client as inProcess } from "@verbatim/embed/effect"
import { document } from "@verbatim/http/description"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import {
  type Callers,
  callByName,
  type OperationId,
  operationCalls,
  type Subjects
} from "../../packages/client/test/OperationCalls.ts"
import { keys, recordingUrl, type Server, startServer } from "../../packages/client/test/Server.ts"
import { operateInProcess } from "../../packages/server/test/operateInProcess.ts"

const callback_url = "https://hooks.example.com/in"

/** Creates the jobs, presets and workspaces that the calls use, in the same way on each server. */
const prepare = async (
  server: Server,
  { member, operator }: Pick<Callers, "member" | "operator">
): Promise<Subjects & { readonly token: string }> => {
  const { id: delivered } = await member.transcriptions.create({ url: recordingUrl, callback_url })
  await member.transcriptions.wait(delivered)
  const { id: notified } = await member.transcriptions.create({ url: recordingUrl, callback_url })
  await member.transcriptions.wait(notified)
  await server.failEngine()
  const { id: failing } = await member.transcriptions.create({ url: recordingUrl })
  await member.transcriptions.wait(failing)
  const { id: failed } = await member.transcriptions.create({ url: recordingUrl })
  await member.transcriptions.wait(failed)
  await server.mendEngine()
  await member.presets.createFromResponses("archived", {})
  await member.presets.revise("archived", { status: "archived" })
  const { id: workspace } = await operator.workspaces.create({ name: "Zero" })
  const order = { kind: "management", scopes: ["labels:gated", "presets:read"] } as const
  const [{ id: home } = { id: "" }] = (await operator.workspaces.list()).data
  const { token } = await operator.workspaces.keys.issue(home, order)
  return { delivered, failing, notified, failed, workspace, recordingUrl, token }
}

interface Template {
  readonly method: string
  readonly path: string
}

const templates = new Map(
  Object.entries(document().paths).flatMap(([path, item]) => {
    const { servers, ...methods } = item as unknown as Record<string, { operationId: string }>
    const root = servers === undefined ? "/v1" : ""
    return Object.entries(methods).map(([method, { operationId }]): readonly [string, Template] => [
      operationId,
      { method: method.toUpperCase(), path: `${root}${path}` }
    ])
  })
)

/** Removes values that differ between servers, such as ids, timestamps, tokens and running work. */
const normalise = (answer: unknown): unknown =>
  JSON.parse(
    JSON.stringify(answer ?? null)
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "instant")
      .replace(/[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g, "id")
      .replace(/"(token|hint)":"[^"]+"/g, '"$1":"secret"')
      .replace(/"duration_ms":\d+/g, '"duration_ms":0')
      .replace(/"balance_minutes":"[\d.]+"/g, '"balance_minutes":"0.00"')
      .replace(/"last_used_at":(?:null|"[^"]+")/g, '"last_used_at":null')
      // A host's calls in process have no key.
      .replace(/"key_id":(?:null|"[^"]+")/g, '"key_id":"key"')
  )

type Door = (server: Server) => Promise<{
  readonly subjects: Subjects
  readonly call: (id: OperationId, given: ReadonlyArray<unknown>) => Promise<unknown>
}>

const clientsOf = ({ baseURL }: Server, key: string): VerbatimClient =>
  createClient({ baseURL, key })

const called = async (callers: Callers, id: OperationId, given: ReadonlyArray<unknown>) => {
  const answer = await callByName(callers[operationCalls[id].by], id, given)
  return answer instanceof Blob ? { byteLength: answer.size } : answer
}

const byClient: Door = async (server) => {
  const made = {
    member: clientsOf(server, keys.management),
    operator: clientsOf(server, keys.operator)
  }
  const { token, ...subjects } = await prepare(server, made)
  const callers = { ...made, gatekeeper: clientsOf(server, token) }
  return { subjects, call: (id, given) => called(callers, id, given) }
}

const embedded: Door = async (server) => {
  const verbatim = await server.runScoped(inProcess)
  const [{ id } = { id: "" }] = (await verbatim.workspaces.list()).data
  const member = verbatim.as({ workspace: { id } })
  const { token: _, ...subjects } = await prepare(server, { member, operator: verbatim })
  const gatekeeper = verbatim.as({ workspace: { id }, scopes: ["labels:gated", "presets:read"] })
  const callers = { member, operator: verbatim, gatekeeper }
  return { subjects, call: (id, given) => called(callers, id, given) }
}

/** Parses the command's output. The command writes bytes and events to the terminal unchanged. */
const byCommand: Door = async (server) => {
  const made = {
    member: clientsOf(server, keys.management),
    operator: clientsOf(server, keys.operator)
  }
  const { token, ...subjects } = await prepare(server, made)
  const keyOf = { member: keys.management, operator: keys.operator, gatekeeper: token }
  const folder = await mkdtemp(join(tmpdir(), "verbatim-same-"))
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }))
  const recording = join(folder, "meeting.mp3")
  await writeFile(recording, "a recording")
  return {
    subjects,
    call: async (id, given) => {
      const { method, path } = templates.get(id) ?? { method: "", path: "" }
      const names = path.match(/\{\w+\}/g) ?? []
      const rest = given.slice(names.length)
      const body = method === "GET" || method === "DELETE" ? undefined : rest.shift()
      const { file: _, ...fields } = Object(body)
      const query = Object.entries(Object(rest.shift())).map(([name, value]) => `${name}=${value}`)
      const args = [
        ...["api", id, "--json", ...given.slice(0, names.length).map(String)],
        ...(body === undefined
          ? []
          : ["--body", JSON.stringify(Array.isArray(body) ? body : fields)]),
        ...(id === "speech.transcribe" ? ["--file", recording] : []),
        ...query.flatMap((each) => ["--query", each])
      ]
      const settings = { VERBATIM_URL: server.baseURL, VERBATIM_KEY: keyOf[operationCalls[id].by] }
      const { status, stderr, stdout } = await operateInProcess(folder, args, settings)
      assert.strictEqual(status, 0, `${id}: ${stderr}`)
      const text = stdout.trim()
      if (!/^[[{]/.test(text)) return text === "" ? undefined : stdout
      const value = JSON.parse(text)
      return Object.keys(value).join() === "data" ? value.data : value
    }
  }
}

const doors = {
  "by the client": byClient,
  "in process": embedded,
  "by the command": byCommand
}

/** Operations that return bytes or streams, which the command prints as they arrive. */
const streamed: ReadonlySet<string> = new Set([
  "transcriptions.media",
  "transcriptions.events",
  "transcriptions.allEvents"
])

/** Operations whose results describe the process that they run in. */
const own: ReadonlySet<string> = new Set(["system.health", "system.ready", "work.queueHistory"])

describe("each operation", () => {
  const servers: Array<Server> = []
  const answers = new Map<string, ReadonlyMap<string, unknown>>()

  beforeAll(async () => {
    for (const [name, door] of Object.entries(doors)) {
      const server = await startServer()
      servers.push(server)
      const { call, subjects } = await door(server)
      const given: Partial<Record<OperationId, unknown>> = {}
      for (const [id, each] of Object.entries(operationCalls)) {
        const operation = id as OperationId
        if (name === "by the command" && streamed.has(id)) continue
        given[operation] = await call(operation, each.given(subjects, given))
      }
      answers.set(name, new Map(Object.entries(given).map(([id, each]) => [id, normalise(each)])))
    }
  })
  afterAll(() => Promise.all(servers.map((server) => server.stop())))

  for (const id of Object.keys(operationCalls)) {
    it(`${id} has the same result in all three ways of calling it`, () => {
      const [first, ...others] = [...answers.values()]
        .filter((each) => each.has(id))
        .map((each) => (own.has(id) ? typeof each.get(id) : each.get(id)))
      for (const other of others) assert.deepStrictEqual(other, first)
    })
  }

  it("is called by this test", () => {
    assert.sameMembers(Object.keys(operationCalls), [...templates.keys()])
  })
})
