/**
 * Fills a server for the screenshots with jobs in every state, a corrected transcript with its
 * recording, a preset with some versions, a second workspace, and a named key.
 */
import { readFile } from "node:fs/promises"
import { keys, type Server } from "../../packages/console/test/Server.ts"

/** The ids of subjects that have their own screen. */
export interface Subjects {
  readonly job: string
  readonly failed: string
  readonly transcript: string
  readonly workspace: string
  readonly preset: string
}

const audio = new URL("../../examples/audio/", import.meta.url)

const minute = await readFile(new URL("harbour-minute.mp3", audio))
const meeting = await readFile(new URL("harbour-meeting.flac", audio))
const words = await readFile(new URL("harbour-meeting.txt", audio), "utf8")
const turns = words.split("\n").filter((line) => line.trim() !== "")

const json = { "content-type": "application/json" }

interface Sent {
  readonly method?: string
  readonly key?: string
}

const send = async <Answer>(
  server: Server,
  [path, body]: readonly [path: string, body: unknown],
  { key, method = "POST" }: Sent = {}
): Promise<Answer> => {
  const init = { method, headers: json, body: JSON.stringify(body) }
  const answer = await server.request(`/v1${path}`, init, key)
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as Answer
}

interface Recording {
  readonly bytes: Uint8Array
  readonly name: string
}

const upload = async (
  server: Server,
  parameters: Readonly<Record<string, string>>,
  { bytes, name }: Recording = { bytes: minute, name: "meeting.mp3" }
): Promise<string> => {
  const form = new FormData()
  for (const [field, value] of Object.entries(parameters)) form.set(field, value)
  form.set("file", new File([new Uint8Array(bytes)], name))
  const answer = await server.request("/v1/transcribe", { method: "POST", body: form })
  return ((await answer.json()) as { readonly id: string }).id
}

const ended = ["WEBHOOK_DELIVERED", "COMPLETED", "FAILED"]

const untilEnded = async (server: Server, id: string): Promise<void> => {
  for (;;) {
    const answer = await server.request(`/v1/status/${id}`)
    const { status } = (await answer.json()) as { readonly status: string }
    if (ended.includes(status)) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** Two alternating voices, with names and a corrected word. */
const correct = async (server: Server, id: string): Promise<void> => {
  const others = turns.flatMap((_, index) => (index % 2 === 1 ? [index] : []))
  const changes = others.map((index) => ({ index, speaker: "Slavka" }))
  const patch = { method: "PATCH" }
  await send(server, [`/transcriptions/${id}/segments`, changes], patch)
  await send(server, [`/transcriptions/${id}/speakers`, { speaker_0: "Ruth" }], { method: "PUT" })
  const text = "Very good. We should begin at the old market, at nine in the morning."
  await send(server, [`/transcriptions/${id}/segments`, [{ index: 1, text }]], patch)
}

const prompts = [
  ["Write short minutes of the meeting.\nName who does what.", "First try"],
  [
    "Write short minutes of the meeting.\nName who does what, and until when.\nBe kind.",
    "Dates were missing"
  ],
  [
    "Write minutes of the meeting in at most ten lines.\nName who does what, and until when.\n" +
      "Leave out greetings.\nBe kind.",
    "Shorter, for the newsletter"
  ]
] as const

const makePresets = async (server: Server): Promise<string> => {
  const make = (slug: string, body: object, query = "") =>
    send(server, [`/presets/${slug}/responses${query}`, body])
  const model = "openai/gpt-5-mini"
  for (const [index, [instructions, comment]] of prompts.entries()) {
    const temperature = [0.7, 0.4, 0.2][index]
    const query = `?comment=${encodeURIComponent(comment)}${index === 2 ? "&stage=true" : ""}`
    await make("harbour-minutes", { model, instructions, temperature }, query)
  }
  const traits = { name: "Minutes of a meeting", description: "What the office sends afterwards." }
  await send(server, ["/presets/harbour-minutes", traits], { method: "PATCH" })
  const put = { method: "PUT" }
  await send(server, ["/presets/harbour-minutes/labels/production", { version: 1 }], put)
  await send(server, ["/presets/harbour-minutes/labels/beta", { version: 3 }], put)
  await make("support-reply", { model, instructions: "Answer in two sentences.", top_p: 0.9 })
  await make("translate", { model, instructions: "Translate into plain English." })
  await send(server, ["/presets/translate", { status: "disabled" }], { method: "PATCH" })
  return "harbour-minutes"
}

const makeWorkspace = async (server: Server): Promise<string> => {
  const { operator: key } = keys
  const order = {
    name: "Harbour office",
    external_id: "customer-42",
    limits: { unfinished_jobs: 50 }
  }
  const { data } = await send<{ readonly data: { readonly id: string } }>(
    server,
    ["/workspaces", order],
    { key }
  )
  await send(server, [`/workspaces/${data.id}/credits`, { minutes: 600 }], { key })
  const wanted = { kind: "management", name: "Office" }
  await send(server, [`/workspaces/${data.id}/keys`, wanted], { key })
  return data.id
}

/** Fills a server. */
export const fill = async (server: Server, receiver: string): Promise<Subjects> => {
  const { engine } = server
  engine.say(turns)
  const recording = { bytes: meeting, name: "harbour-meeting.flac" }
  const order = { callback_id: "Board meeting, 4 May", callback_url: receiver, summary: "brief" }
  const transcript = await upload(server, order, recording)
  await untilEnded(server, transcript)
  await correct(server, transcript)
  const over: Array<string> = []
  for (const name of ["Interview with the harbour master", "Call 2291"]) {
    const parameters = { callback_id: name, callback_url: receiver, summary: "brief" }
    over.push(await upload(server, parameters))
  }
  const broken = { bytes: Buffer.from("not a recording"), name: "memo.m4a" }
  const failed = await upload(server, { callback_id: "Voice memo" }, broken)
  for (const id of [...over, failed]) await untilEnded(server, id)
  await send(server, ["/keys", { kind: "inference", name: "Upload service" }])
  const preset = await makePresets(server)
  const workspace = await makeWorkspace(server)
  engine.hold()
  for (const name of ["Town hall, part 1", "Town hall, part 2", "Podcast 118", "Lecture 7"]) {
    await upload(server, { callback_id: name })
  }
  return { job: transcript, failed, transcript, workspace, preset }
}
