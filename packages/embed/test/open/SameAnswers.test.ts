/** What methods give, and what the API of the same host answers: the same, in other words. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import type { components } from "@verbatim/client"
import {
  type Caller,
  type HistoryEvent,
  InvalidInput,
  NotFound,
  type Recognise,
  type Verbatim
} from "@verbatim/embed"
import { onTestFinished } from "vitest"
import { openFor, recording, rejection } from "./Opened.ts"

const caller: Caller = { workspace: "default", kind: "management" }

const authenticate = () => Promise.resolve(caller)

/** Two speakers, heard by an engine that takes every hint. */
const hearing =
  (asked: Array<ReadonlyArray<string>>): Recognise =>
  ({ durationMillis, keywords }) => {
    asked.push(keywords)
    return Promise.resolve({
      language: "en",
      engine: "ears",
      areKeywordsUsed: true,
      isSpeakerCountUsed: false,
      segments: ["Ana", "Ben"].map((speaker, place) => ({
        speaker,
        startMillis: place,
        endMillis: durationMillis,
        text: "Hello."
      }))
    })
  }

type Schemas = components["schemas"]

const askFrom =
  (verbatim: Verbatim) =>
  async <Told>(path: string, init?: RequestInit): Promise<Told> => {
    const answer = await verbatim.fetch(new Request(`https://host.example/v1${path}`, init))
    const body: unknown = await answer.json()
    assert.isTrue(answer.ok, JSON.stringify(body))
    return body as Told
  }

const startReceiver = async (): Promise<string> => {
  const server = createServer((request, response) => {
    request.resume()
    const isGiven = request.method === "POST"
    response.writeHead(isGiven ? 204 : 200, { "content-type": "audio/mpeg" }).end()
  }).listen(0, "127.0.0.1")
  await new Promise((resolve) => server.once("listening", resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/in`
}

const millisOf = (duration: unknown) => Math.round(Number(duration) * 1_000)

/** A job with every wish, whose webhook was delivered. */
const makeEnded = async () => {
  const verbatim = await openFor({
    authenticate,
    allowNetworks: ["127.0.0.0/8"],
    transcribe: hearing([])
  })
  const job = await verbatim.transcribe({
    media: recording,
    filename: "harbour.mp3",
    keywords: ["Elbe"],
    speakers: 2,
    summary: "long",
    webhook: { url: await startReceiver() }
  })
  const heard: Array<string> = []
  for await (const { event } of verbatim.jobs.events(job)) heard.push(event)
  assert.strictEqual(heard.at(-1), "end")
  return { jobs: verbatim.jobs, ask: askFrom(verbatim), id: job.id }
}

/** What an event of the API and one of a host are alike in. */
const alike = (event: HistoryEvent) => ({
  revision: event.revision,
  at: event.at.toISOString(),
  about: event.about,
  duration: event.durationMillis,
  language: event.language,
  engine: event.engine,
  keywords_used: event.areKeywordsUsed,
  speakers_used: event.isSpeakerCountUsed,
  warnings: event.warnings,
  type: event.type,
  status_code: event.status
})

describe("a job", () => {
  it("says of itself what the API says", async () => {
    const { ask, id, jobs } = await makeEnded()
    const told = await ask<Schemas["JobDetails"]>(`/transcriptions/${id}`)
    const { acceptedAt, source, summary, transcription } = await jobs.get({ id })
    assert(transcription.state === "completed" && summary?.state === "completed")
    assert.deepInclude(told as object, {
      created_at: acceptedAt.toISOString(),
      filename: source.filename,
      language: transcription.language,
      engine: transcription.engine,
      speaker_count: transcription.speakerCount,
      warnings: transcription.warnings,
      keywords_used: transcription.areKeywordsUsed,
      speakers_used: transcription.isSpeakerCountUsed,
      summary_requested: summary.requested,
      summary_type: summary.type
    })
    assert.strictEqual(millisOf(told.duration), transcription.durationMillis)
    assert.deepStrictEqual(
      [source.filename, summary.requested, summary.type],
      ["harbour.mp3", "long", "brief"]
    )
  })

  it("has the history that the API tells, and the same requests to its receiver", async () => {
    const { ask, id, jobs } = await makeEnded()
    const told = await ask<Schemas["JobHistory"]>(`/transcriptions/${id}/history`)
    const events: ReadonlyArray<Readonly<Record<string, unknown>>> = told.events
    const history = (await jobs.history({ id })).map(alike)
    const names = Object.keys(history[0] ?? {})
    assert.deepStrictEqual(
      history,
      events.map((event) => ({
        ...Object.fromEntries(names.map((name) => [name, event[name]])),
        duration: event.duration === undefined ? undefined : millisOf(event.duration)
      }))
    )
    assert.isTrue(history.some(({ engine, type }) => engine === "ears" && type === undefined))
    assert.isTrue(history.some(({ type }) => type === "brief"))

    const [sent, ...others] = await jobs.webhookAttempts({ id })
    assert(sent !== undefined)
    assert.deepStrictEqual([others, sent.error, sent.status], [[], null, 204])
    assert.deepStrictEqual<ReadonlyArray<object>>(told.webhook_attempts, [
      {
        delivery: sent.delivery,
        attempt: sent.attempt,
        started_at: sent.startedAt.toISOString(),
        duration_ms: sent.durationMillis,
        status_code: sent.status,
        bytes: sent.byteLength
      }
    ])
    assert.instanceOf(await rejection(jobs.webhookAttempts({ id: "none" })), NotFound)
  })

  it("from a URL has the name that ends its path", async () => {
    const verbatim = await openFor({ allowNetworks: ["127.0.0.0/8"] })
    const receiver = await startReceiver()
    const nameAt = async (path: string) =>
      (await verbatim.transcribe({ media: new URL(path, receiver) })).source.filename
    assert.strictEqual(await nameAt("/talks/meeting.mp3?part=1"), "meeting.mp3")
    assert.strictEqual(await nameAt("/"), "")
  })
})

describe("the keywords of a workspace", () => {
  it("are told to engines after those of a request, each once", async () => {
    const asked: Array<ReadonlyArray<string>> = []
    const { transcribe, wait, workspaces } = await openFor({ transcribe: hearing(asked) })
    assert.deepStrictEqual(await workspaces.keywords("acme"), [])
    const given = await workspaces.setKeywords("acme", ["Elbe", "Köhlbrand", "Elbe"])
    assert.deepStrictEqual(given, ["Elbe", "Köhlbrand"])
    assert.deepStrictEqual(await workspaces.keywords("acme"), given)
    const wanted = { media: recording, keywords: ["Alster", "Elbe"], workspace: "acme" }
    await wait(await transcribe(wanted))
    assert.deepStrictEqual(asked, [["Alster", "Elbe", "Köhlbrand"]])
    assert.deepStrictEqual(await workspaces.keywords("other"), [])
    const wrong = await rejection(workspaces.setKeywords("acme", [" Elbe"]))
    assert.instanceOf(wrong, InvalidInput)
    assert.deepStrictEqual(await workspaces.keywords("acme"), given)
  })
})

describe("a preset", () => {
  const slug = "notes"

  it("that got a staged version shows it beside the designated one", async () => {
    const verbatim = await openFor({ authenticate })
    const { presets } = verbatim
    const first = await presets.create({ slug, body: { model: "one" }, stage: true })
    assert.notProperty(first, "staged")
    const staging = { slug, body: { model: "two" }, stage: true, idempotencyKey: "two" }
    const made = await presets.create(staging)
    assert.deepStrictEqual(made.designated, first.designated)
    assert.deepStrictEqual(made.staged, await presets.version({ slug, version: 2 }))
    assert.deepStrictEqual((await presets.create(staging)).staged, made.staged)
    const path = `/presets/${slug}/responses?stage=true`
    const { data } = await askFrom(verbatim)<Schemas["StagedPresetAnswer"]>(path, {
      method: "POST",
      headers: { "content-type": "application/json", "idempotency-key": "two" },
      body: JSON.stringify({ model: "two" })
    })
    assert.deepStrictEqual(
      [data.designated_version?.id, data.staged_version.id],
      [made.designated.id, made.staged?.id]
    )
  })

  it("says who made it, since when it has its status, and which format it is from", async () => {
    const verbatim = await openFor({ authenticate })
    const { presets } = verbatim
    await presets.create({ slug, body: { messages: [] }, format: "chat" })
    assert.isNull((await presets.get({ slug })).statusUpdatedAt)
    await presets.change({ slug, status: "disabled" })
    await presets.change({ slug, status: "active" })
    await presets.moveLabel({ slug, label: "production", version: 1 })
    const ask = askFrom(verbatim)
    const { data } = await ask<Schemas["PresetAnswer"]>(`/presets/${slug}`)
    const { creatorId, statusUpdatedAt } = await presets.get({ slug })
    assert.deepStrictEqual(
      [creatorId, statusUpdatedAt?.toISOString()],
      [data.creator_user_id, data.status_updated_at]
    )
    assert.strictEqual((await presets.version({ slug, version: 1 })).format, "chat")
    const label = await presets.label({ slug, label: "production" })
    assert.deepStrictEqual([label], await presets.labels({ slug }))
    assert.instanceOf(await rejection(presets.label({ slug, label: "staging" })), NotFound)
    const resolution = await presets.resolve({ preset: slug, request: { input: "Hi" } })
    assert.strictEqual(resolution.format, "responses")
  })
})
