/**
 * Tests the verification of webhooks that a real server or the `standardwebhooks` package signed.
 */
import { InvalidWebhook, verify, type WebhookProblem } from "@verbatim/client/webhooks"
import { Workspaces } from "@verbatim/core/services"
import { FakeWebhookSender } from "@verbatim/testkit/fakes"
import { Effect, Redacted } from "effect"
import fc from "fast-check"
import { Webhook } from "standardwebhooks"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { makeClient } from "#src/Client"
import { quickClock } from "./Clocks.ts"
import { keys, recordingUrl, type Server, startServer } from "./Server.ts"
import { makeReceiver } from "./tutorial/receiver.ts"

let server: Server
let secrets: ReadonlyArray<string> = []

const addSecrets = Effect.gen(function* () {
  const workspaces = yield* Workspaces
  const [account] = yield* workspaces.accounts({ after: null, limit: 1 })
  const { id } = account?.workspace ?? assert.fail("no workspace")
  const added = [yield* workspaces.addWebhookSecret(id), yield* workspaces.addWebhookSecret(id)]
  return added.map(({ secret }) => Redacted.value(secret))
})

beforeAll(async () => {
  server = await startServer()
  secrets = await server.run(addSecrets)
})
afterAll(() => server.stop())

/** Creates a job and returns its webhook. */
const receive = async (modifier?: "paragraph_json" | "srt") => {
  const { transcriptions } = makeClient(
    { baseURL: server.baseURL, key: keys.inference },
    quickClock
  )
  const { id } = await transcriptions.create({
    url: recordingUrl,
    callback_url: "https://hooks.example.com/in",
    ...(modifier === undefined ? {} : { modifier })
  })
  while ((await transcriptions.get(id)).webhook_status !== "DELIVERED") {
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  const posts = await server.run(Effect.flatMap(FakeWebhookSender, ({ received }) => received))
  const { body, headers } = posts.at(-1) ?? assert.fail("nothing arrived")
  return { id, body, headers }
}

const makeSecret = (bytes: Uint8Array) => `whsec_${Buffer.from(bytes).toString("base64")}`

const [known, other] = [makeSecret(Buffer.alloc(32, 1)), makeSecret(Buffer.alloc(32, 2))]

/** Signs a request with the reference library. */
const sign = (body: string, { id = "a", secret = known, sentAt = new Date() } = {}) => ({
  "webhook-id": id,
  "webhook-timestamp": `${Math.floor(sentAt.getTime() / 1000)}`,
  "webhook-signature": new Webhook(secret).sign(id, sentAt, body)
})

const problemOf = async (verified: Promise<unknown>): Promise<WebhookProblem | undefined> => {
  try {
    await verified
    return undefined
  } catch (error) {
    assert.instanceOf(error, InvalidWebhook)
    return error.reason
  }
}

const bodies = fc.oneof(fc.string({ unit: "binary" }), fc.json())

describe("a webhook from the server", () => {
  it("can be verified with each secret of its workspace, and contains the job", async () => {
    const { body, headers, id } = await receive()
    for (const secret of [...secrets, [other, ...secrets], secrets.join(" ")]) {
      const { job, id: delivery } = await verify(body, headers, secret)
      assert.deepInclude(job, { id, transcription_status: "TRANSCRIBED" })
      assert.strictEqual(delivery, headers["webhook-id"])
    }
    assert.strictEqual(await problemOf(verify(body, headers, other)), "forged")
  })

  it("contains the transcript in the requested rendering", async () => {
    const subtitles = await receive("srt")
    const read = await verify(subtitles.body, subtitles.headers, secrets)
    assert.deepStrictEqual([read.transcript, read.job], [subtitles.body, undefined])
    const paragraphs = await receive("paragraph_json")
    const { transcript } = await verify(paragraphs.body, paragraphs.headers, secrets)
    assert.deepStrictEqual(transcript, JSON.parse(paragraphs.body))
  })

  it("contains the job with its error if the transcription failed", async () => {
    await server.failEngine()
    const { body, headers } = await receive("srt")
    await server.mendEngine()
    const { job } = await verify(body, headers, secrets)
    assert.isString(job?.error)
  })
})

describe("the receiver from the documents", () => {
  it("stores the webhooks that the server sent, and refuses any other request", async () => {
    const { body, headers } = await receive()
    const stored: Array<string> = []
    const answer = makeReceiver(secrets.join(" "), async ({ id }) => void stored.push(id))
    const post = (text: string) =>
      answer(new Request("https://a.example", { method: "POST", body: text, headers }))
    assert.strictEqual((await post(body)).status, 204)
    assert.strictEqual((await post(`${body} `)).status, 401)
    assert.deepStrictEqual(stored, [headers["webhook-id"]])
  })
})

describe("a webhook", () => {
  it("is accepted in every form of request if the reference library signed it", () =>
    fc.assert(
      fc.asyncProperty(
        bodies,
        fc.uuid(),
        fc.uint8Array({ minLength: 24, maxLength: 64 }),
        async (body, id, bytes) => {
          const secret = makeSecret(bytes)
          const headers = sign(body, { id, secret })
          const signature = `v1,AAAA v2,x ${headers["webhook-signature"]}`
          const upper = { "Webhook-Id": id, "WEBHOOK-TIMESTAMP": headers["webhook-timestamp"] }
          const forms = [
            headers,
            new Headers(headers),
            { ...upper, "Webhook-Signature": [signature] }
          ]
          for (const form of forms) {
            assert.strictEqual((await verify(body, form, [other, secret])).id, id)
            await verify(Buffer.from(body), form, secret)
          }
        }
      ),
      { numRuns: 50 }
    ))

  it("is never accepted after a change to its body, id, time or signature", () =>
    fc.assert(
      fc.asyncProperty(bodies, fc.string({ minLength: 1 }), async (body, extra) => {
        const headers = sign(body)
        const later = `${Number(headers["webhook-timestamp"]) + 1}`
        const [tag = ""] = headers["webhook-signature"].split(",").slice(1)
        const swapped = `v1,${tag.startsWith("A") ? "B" : "A"}${tag.slice(1)}`
        const changed = [
          () => verify(body + extra, headers, known),
          () => verify(body, { ...headers, "webhook-id": `a${extra}` }, known),
          () => verify(body, { ...headers, "webhook-timestamp": later }, known),
          () => verify(body, { ...headers, "webhook-signature": swapped }, known),
          () => verify(body, headers, other),
          () => verify(body, headers, [])
        ]
        for (const each of changed) assert.strictEqual(await problemOf(each()), "forged")
      }),
      { numRuns: 50 }
    ))

  it("must be recent, within a tolerance that the receiver can set", async () => {
    for (const [seconds, tolerance, problem] of [
      [-290, undefined, undefined],
      [290, undefined, undefined],
      [-310, undefined, "expired"],
      [310, undefined, "expired"],
      [-20, 10, "expired"],
      [-4_000, 5_000, undefined],
      [0, Number.NaN, "expired"]
    ] as const) {
      const headers = sign("x", { sentAt: new Date(Date.now() + seconds * 1000) })
      const options = tolerance === undefined ? {} : { tolerance }
      const title = `${seconds} s, ${tolerance}`
      assert.strictEqual(await problemOf(verify("x", headers, known, options)), problem, title)
    }
  })

  it("is unsigned if a header is missing or malformed", async () => {
    const headers = sign("x")
    for (const change of [
      { "webhook-id": undefined },
      { "webhook-timestamp": undefined },
      { "webhook-timestamp": "1e9" },
      { "webhook-signature": undefined },
      { "webhook-signature": "v1" },
      { "webhook-signature": "v1,AAAA" }
    ]) {
      assert.strictEqual(await problemOf(verify("x", { ...headers, ...change }, known)), "unsigned")
    }
  })

  it("is refused if it was already parsed, because no signature would match", async () => {
    for (const body of [{ id: "a" }, undefined] as ReadonlyArray<unknown>) {
      const verified = verify(body as string, sign("x"), known)
      const error = await verified.catch((cause: unknown) => cause)
      assert.instanceOf(error, TypeError)
      assert.include(String(error), "text or bytes that were received")
    }
  })

  it("needs well-formed secrets, which errors never show", async () => {
    for (const secret of ["hush", "whsec_hush", `whsec_${"hush".repeat(9)}=`, `${known} hush`]) {
      const error = await verify("x", sign("x"), secret).catch((cause: unknown) => cause)
      assert.instanceOf(error, TypeError)
      assert.notInclude(String(error), "hush")
    }
    const unset = await verify("x", {}, undefined as unknown as string).catch(String)
    assert.strictEqual(unset, "TypeError: A webhook secret must be text, but is undefined")
  })
})
