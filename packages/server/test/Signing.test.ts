/** Tests the signatures of real webhooks by verifying them as a receiver would. */
import { Webhook } from "standardwebhooks"
import { assert, describe, it } from "vitest"
import { operateInProcess } from "./operateInProcess.ts"
import { type Arrived, startReceiver } from "./Receiver.ts"
import { dataDirectory, ServerProcess } from "./ServerProcess.ts"

const first = `whsec_${"A".repeat(43)}=`
const second = `whsec_${"E".repeat(42)}A=`

const isKnown =
  ({ body, headers }: Arrived) =>
  (secret: string): boolean => {
    try {
      new Webhook(secret).verify(body, { ...headers } as Record<string, string>)
      return true
    } catch {
      return false
    }
  }

describe("a server's webhooks", () => {
  it("are signed with the secrets in the environment until the workspace has its own", async () => {
    await using directory = await dataDirectory()
    await using receiver = await startReceiver()
    await using server = await ServerProcess.start(directory.path, {
      VERBATIM_WEBHOOK_SECRET: `${first} ${second}`
    })
    const secrets = async (...args: ReadonlyArray<string>) => {
      const ran = await operateInProcess(directory.path, ["workspaces", "secrets", ...args])
      assert.strictEqual(ran.status, 0, ran.stderr)
      return ran.stdout.trim()
    }
    /** Uploads a file that cannot be decoded, because its failure is reported immediately. */
    const report = async () => {
      const body = new FormData()
      body.set("file", new Blob(["noise"]), "noise.mp3")
      body.set("callback_url", receiver.url)
      const { id = "" } = await server.json("/v1/transcribe", { method: "POST", body })
      await server.until(id, ({ webhook_status }) => webhook_status !== "PENDING")
      return receiver.arrived.at(-1) ?? assert.fail("nothing arrived")
    }
    assert.deepStrictEqual([first, second].filter(isKnown(await report())), [first, second])

    const old = await secrets("add")
    assert.match(old, /^whsec_[A-Za-z0-9+/]{43}=$/)
    assert.deepStrictEqual([first, second, old].filter(isKnown(await report())), [old])
    const next = await secrets("add")
    assert.deepStrictEqual([first, old, next].filter(isKnown(await report())), [old, next])

    const listed = await secrets("list")
    assert.notInclude(listed, "whsec_")
    const [oldest = ""] = /^[0-9a-f-]{36}/m.exec(listed) ?? []
    assert.include(await secrets("remove", oldest), "It signs no more webhooks")
    assert.deepStrictEqual([first, old, next].filter(isKnown(await report())), [next])

    const gone = await operateInProcess(directory.path, ["workspaces", "secrets", "remove", oldest])
    assert.strictEqual(gone.status, 1)
    assert.include(gone.stderr, "There is no secret")
  })
})
