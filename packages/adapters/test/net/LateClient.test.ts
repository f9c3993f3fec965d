/** The HTTP client is read with the first request: one that cannot be read now is read later. */
import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"

const flags = ["--conditions=@verbatim/source", "--input-type=module", "-e"]

const run = promisify(execFile)

const client = fileURLToPath(new URL("../../src/net/GuardedClient.ts", import.meta.url))
const guard = fileURLToPath(new URL("../../src/net/Guard.ts", import.meta.url))

/** Asks three times for a name that leads nowhere good; the client cannot be read at first. */
const program = `
import { registerHooks } from "node:module"
let isFirst = true
registerHooks({
  load: (url, context, next) => {
    if (!isFirst || !url.includes("/undici/")) return next(url, context)
    isFirst = false
    throw Object.assign(new Error("too many open files"), { code: "EMFILE" })
  }
})
const { Effect } = await import("effect")
const { exchange } = await import(${JSON.stringify(client)})
const { make } = await import(${JSON.stringify(guard)})
const resolve = () => Effect.succeed(["127.0.0.1"])
const request = { url: "http://media.example.com/", method: "GET", headers: {} }
for (let count = 0; count < 3; count += 1) {
  const sent = Effect.scoped(exchange(request, make({ allowNetworks: [], resolve })))
  const { reason } = await Effect.runPromise(Effect.flip(sent))
  console.log(reason.detail)
}
`

it.live("a client that cannot be read fails one request, and not those after it", () =>
  Effect.promise(async () => {
    const { stdout } = await run(process.execPath, [...flags, program])
    const [first, ...later] = stdout.trim().split("\n")
    assert.strictEqual(first, "media.example.com: EMFILE")
    assert.deepStrictEqual(later, Array(2).fill("media.example.com: ForbiddenAddress"))
  })
)
