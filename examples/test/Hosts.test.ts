/**
 * Tests that every host serves the same API at the mounted path, and that the host's own routes
 * still work.
 */
import { once } from "node:events"
import { request } from "node:http"
import { setTimeout as sleep } from "node:timers/promises"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { absence, bun, deno, node, type Runtime } from "./bundles/Runtimes.ts"
import { type Host, prefix, session, start } from "./hosts/Host.ts"
import { sendWav } from "./hosts/Wav.ts"

interface Case {
  readonly path: string
  readonly runtime: Runtime
  /** The reason why the test omits WebSocket upgrades for this host. */
  readonly noUpgrade?: string
}

const elsewhere = "the runtime handles upgrades in its own server"

const cases: ReadonlyArray<Case> = [
  { path: "2-node-http/main.ts", runtime: node },
  { path: "3-express/main.ts", runtime: node },
  { path: "test/hosts/express4-parsed.ts", runtime: node },
  { path: "4-fastify/main.ts", runtime: node },
  { path: "5-hono/main.ts", runtime: node },
  { path: "test/hosts/hono-mount.ts", runtime: node },
  { path: "6-next/main.ts", runtime: node },
  { path: "7-sveltekit/main.ts", runtime: node },
  { path: "8-bun/main.ts", runtime: bun, noUpgrade: elsewhere },
  { path: "9-deno/main.ts", runtime: deno, noUpgrade: elsewhere }
]

const mebibyte = 1_048_576

/** The second upload is twice as large as the first. */
const uploadBytes = [32 * mebibyte, 64 * mebibyte] as const

/** Memory may grow by at most a quarter of the difference between the uploads. */
const growthMax = 8 * mebibyte

/** Maximum number of polls, enough for a busy machine. */
const lookMax = 6_000

const preset = JSON.stringify({ model: "any/model", instructions: "Take notes." })

const sendJson = (body: string): RequestInit => ({
  method: "POST",
  headers: { ...session, "content-type": "application/json" },
  body
})

const withSession = (init: RequestInit): RequestInit => ({
  ...init,
  headers: { ...init.headers, ...session }
})

/** Polls until a condition holds. */
const until = async (what: string, holds: () => Promise<boolean>): Promise<void> => {
  for (let look = 0; look < lookMax; look++) {
    if (await holds()) return
    await sleep(100)
  }
  throw new Error(`waited in vain: ${what}`)
}

/** Waits for a job to end, and returns its status as JSON. */
const hear = async (host: Host, id: string): Promise<string> => {
  let text = ""
  await until("the job ends", async () => {
    text = (await host.call(`${prefix}/v1/status/${id}`, { headers: session })).text
    return /"transcription_status":"(?:COMPLETED|FAILED)"/.test(text)
  })
  return text
}

/** Returns the host's job list as JSON. */
const listJobs = async (host: Host): Promise<string> =>
  (await host.call(`${prefix}/v1/transcriptions`, { headers: session })).text

const upgrade = async (address: string) => {
  const requested = request(`${address}/socket`, {
    headers: { connection: "Upgrade", upgrade: "greeting" }
  }).end()
  const [response, socket, head] = await once(requested, "upgrade")
  if (head.length > 0) return [response.statusCode, String(head)]
  const [word] = await once(socket, "data")
  return [response.statusCode, String(word)]
}

for (const { noUpgrade, path, runtime } of cases) {
  const reason = absence(runtime)
  describe.skipIf(reason !== undefined)(reason === undefined ? path : `${path}: ${reason}`, () => {
    let host: Host
    beforeAll(async () => {
      host = await start(path, runtime)
    })
    afterAll(async () => {
      assert.strictEqual(await host.stop(), 0)
    })

    it("creates and lists presets, and rejects unauthenticated requests", async () => {
      const at = `${prefix}/v1/presets`
      const made = await host.call(`${at}/notes/responses`, sendJson(preset))
      assert.include([200, 201], made.status, made.text)
      const listed = await host.call(at, { headers: session })
      assert.strictEqual(listed.status, 200)
      assert.include(listed.text, '"slug":"notes"')
      assert.strictEqual((await host.call(at)).status, 401)
    })

    it("still serves the host's own routes", async () => {
      const pages = ["/", "/boom", "/nothing", "/api/verbatimly"]
      const answers = await Promise.all(pages.map((page) => host.call(page)))
      assert.deepStrictEqual(
        answers.map(({ status, text }) => [status, text]),
        [
          [200, "the host"],
          [500, "the host's own failure"],
          [404, "the host has no such page"],
          [404, "the host has no such page"]
        ]
      )
    })

    it.skipIf(noUpgrade !== undefined)(
      noUpgrade ?? "still handles the host's own WebSocket upgrades",
      async () => {
        assert.deepStrictEqual(await upgrade(host.address), [101, "hello"])
      }
    )

    it("transcribes an upload", async () => {
      const sent = await host.call(`${prefix}/v1/transcribe`, withSession(sendWav(64_000)))
      assert.strictEqual(sent.status, 200, sent.text)
      assert.include(await hear(host, JSON.parse(sent.text).id), "a file of 64044 bytes")
    })

    it("removes an aborted upload", async () => {
      const before = await host.recordings()
      const added = async () => (await host.recordings()).filter((name) => !before.includes(name))
      const jobs = await listJobs(host)
      const controller = new AbortController()
      const body = ReadableStream.from(
        (async function* () {
          yield Buffer.from(
            '--a\r\nContent-Disposition: form-data; name="file"; filename="a.wav"\r\n\r\n'
          )
          yield new Uint8Array(mebibyte)
          await until("the upload begins", async () => (await added()).length > 0)
          controller.abort()
          await new Promise(() => undefined)
        })()
      )
      const headers = { ...session, "content-type": "multipart/form-data; boundary=a" }
      const { signal } = controller
      const init = { method: "POST", headers, body, duplex: "half", signal } as const
      const left = await host.call(`${prefix}/v1/transcribe`, init).catch(String)
      assert.include(String(left), "Abort")
      await until("nothing is left of it", async () => (await added()).length === 0)
      assert.strictEqual(await listJobs(host), jobs)
      assert.strictEqual((await host.call(`${prefix}/health`)).status, 200)
    })

    it.skipIf(runtime !== node)("needs no more memory for an upload twice as large", async () => {
      /** Uploads a recording, and returns the host's memory use just before the upload ends. */
      const heldOf = async (byteLength: number): Promise<number> => {
        let held = 0
        const look = async () => {
          held = await host.bytesInUse()
        }
        const sent = withSession(sendWav(byteLength, look))
        const { status, text } = await host.call(`${prefix}/v1/transcribe`, sent)
        assert.strictEqual(status, 200, text)
        return held
      }
      // The first upload is not measured, because it also loads code.
      await heldOf(mebibyte)
      const [single, double] = uploadBytes
      const before = await heldOf(single)
      assert.isBelow((await heldOf(double)) - before, growthMax)
    })

    // This test runs last, because it closes Verbatim.
    it("answers 503 after Verbatim is closed, and still serves the host's own routes", async () => {
      host.closeVerbatim()
      const health = () => host.call(`${prefix}/health`)
      await until("Verbatim is closed", async () => (await health()).status === 503)
      const requested = await Promise.all([
        health(),
        host.call(`${prefix}/v1/presets`, { headers: session }),
        host.call(`${prefix}/v1/presets/notes/responses`, sendJson(preset)),
        host.call(`${prefix}/v1/transcribe`, withSession(sendWav(64_000)))
      ])
      assert.deepStrictEqual(
        requested.map(({ status }) => status),
        [503, 503, 503, 503]
      )
      const { status, text } = await host.call("/")
      assert.deepStrictEqual([status, text], [200, "the host"])
    })
  })
}
