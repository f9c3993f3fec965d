/** One server and one browser for all stories in a file, with shared helpers. */
import { readFile } from "node:fs/promises"
import type { Page } from "playwright-core"
import { afterAll, assert, beforeAll } from "vitest"
import { startBrowser } from "./Chromium.ts"
import { keys, type Settings, startServer } from "./Server.ts"
import { makeWav } from "./Sound.ts"
import { type Visitor, visit } from "./Visit.ts"

/** Two seconds of speech. */
const letter = new URL("../../adapters/test/media/letter.wav", import.meta.url)

/** A request to the API. */
interface Sent {
  readonly body?: object
  /** The key to use. Default: the management key. */
  readonly key?: string
  readonly method?: string
}

type Story = (page: Page) => Promise<void>

const makeStage = async (settings: Settings) => {
  const [server, browser] = await Promise.all([
    startServer({ VERBATIM_KEEP_MEDIA: "on", ...settings }),
    startBrowser()
  ])
  const speech = new Uint8Array(await readFile(letter))
  /** Sends JSON to the API, asserts success, and returns the response. */
  const send = async (path: string, { body, key, method = "POST" }: Sent = {}) => {
    const headers = { "content-type": "application/json" }
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
    const answer = await server.request(`/v1${path}`, init, key)
    assert.isTrue(answer.ok, `${path}: ${answer.status}`)
    return answer.status === 204 ? undefined : answer.json()
  }
  /** Uploads a recording and returns the id of its job. */
  const upload = async (
    parameters: Readonly<Record<string, string>> = {},
    { bytes = speech, name }: { name: string; bytes?: Uint8Array<ArrayBuffer> } = {
      name: "letter.wav"
    }
  ): Promise<string> => {
    const form = new FormData()
    for (const [field, value] of Object.entries(parameters)) form.set(field, value)
    form.set("file", new File([bytes], name))
    const answer = await server.request("/v1/transcribe", { method: "POST", body: form })
    const { error, id }: { readonly error?: string; readonly id: string } = await answer.json()
    assert.isTrue(answer.ok, `${answer.status}: ${error}`)
    return id
  }
  /** Waits until a job has the given status. */
  const until = async (id: string, status: string): Promise<void> => {
    for (;;) {
      const answer = await server.request(`/v1/status/${id}`)
      const job: { readonly error?: string; readonly status?: string } = await answer.json()
      assert.isTrue(answer.ok, `${answer.status}: ${job.error}`)
      if (job.status === status) return
      assert.notStrictEqual(job.status, "FAILED", job.error)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
  /** Visits the server's console, by default with the management key. */
  const visitAs = (visitor: Partial<Visitor>, story: Story): Promise<void> => {
    const address = `${server.address}/console`
    return visit(browser, { address, key: keys.management, ...visitor }, story)
  }
  return {
    server,
    browser,
    send,
    until,
    upload,
    visitAs,
    /** Visits the server's console with the management key. */
    visit: (story: Story): Promise<void> => visitAs({}, story),
    /** Transcribes a recording with the given sentences, and returns the id of its job. */
    transcribe: async (
      name: string,
      { bytes = makeWav(16), said }: { said?: ReadonlyArray<string>; bytes?: typeof speech } = {}
    ): Promise<string> => {
      server.engine.say(said)
      const id = await upload({ callback_id: name }, { name: "meeting.wav", bytes })
      await until(id, "COMPLETED")
      server.engine.say()
      return id
    }
  }
}

/** The server, the browser and the helpers. */
export type Stage = Awaited<ReturnType<typeof makeStage>>

/** Opens the stage before a file's stories, and closes it after the stories. */
export const onStage = (settings: Settings = {}): (() => Stage) => {
  let stage: Stage
  beforeAll(async () => {
    stage = await makeStage(settings)
  })
  afterAll(async () => {
    await stage.browser.close()
    await stage.server.stop()
  })
  return () => stage
}
