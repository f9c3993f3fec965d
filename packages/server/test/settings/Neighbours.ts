/** What stands around the servers of the test of settings: real servers that take notes. */
import { execFileSync } from "node:child_process"
import { once } from "node:events"
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync
} from "node:fs"
import { createServer, type RequestListener } from "node:http"
import { type AddressInfo, createServer as createSilentServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { buffer } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import { account, BucketServer, findFreePort, launch } from "@verbatim/testkit/servers"
import { startReceiver } from "../Receiver.ts"

const listen = async (answer: RequestListener) => {
  const server = createServer(answer).listen(0, "127.0.0.1")
  await once(server, "listening")
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close }
}

/** Lets those who wait through, and who comes after that. */
const makeGate = () => {
  let opened = Promise.withResolvers<void>()
  opened.resolve()
  return {
    passed: () => opened.promise,
    shut: () => {
      opened = Promise.withResolvers()
    },
    open: () => opened.resolve()
  }
}

/** 3 KB of text: a part of 2 KB does not hold it, one of 12 KB does, even twice. */
const heard = "We met at the harbour. Then we left. ".repeat(85)

/** What the server that sums up makes of any text. */
export const summary = "They met. They left."

/** What a server of OpenAI's protocol was asked. */
interface Question {
  readonly isChat: boolean
  /** The whole header; `undefined` where there was none. */
  readonly key: string
  readonly model: string
  /** The names in a form. */
  readonly fields: ReadonlyArray<string>
  readonly byteLength: number
}

/** A server of OpenAI's protocol: it hears the same in any audio. */
const startModels = async () => {
  const asked: Array<Question> = []
  const gate = makeGate()
  const { close, origin } = await listen(async (request, response) => {
    const body = (await buffer(request)).toString("latin1")
    const isChat = request.url === "/v1/chat/completions"
    const fields = Array.from(body.matchAll(/form-data; name="([^"]+)"/g), ([, name]) => `${name}`)
    const model = isChat ? JSON.parse(body).model : /name="model"\r\n\r\n([^\r]*)/.exec(body)?.[1]
    const key = `${request.headers.authorization}`
    asked.push({ isChat, key, model, fields, byteLength: body.length })
    if (!isChat) await gate.passed()
    const answer = isChat
      ? { choices: [{ message: { content: summary }, finish_reason: "stop" }] }
      : { text: heard, language: "english", duration: 1 }
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer))
  })
  return { asked, url: `${origin}/v1`, ...gate, close }
}

/** A host of media that answers at once to whoever accepts a job, and late to whoever fetches. */
const startHost = async () => {
  const known = new Set<string>()
  const gate = makeGate()
  const { close, origin } = await listen(async (request, response) => {
    const path = request.url ?? ""
    if (known.has(path)) {
      await gate.passed()
      response.writeHead(404).end()
    } else response.writeHead(200, { "content-type": "audio/mpeg" }).end("no sound")
    known.add(path)
  })
  return { origin, ...gate, close }
}

const writer = fileURLToPath(
  new URL("../../../adapters/test/whisper/WriteModels.ts", import.meta.url)
)

/** Writes a directory of small models, with a recogniser that takes all speech for `language`. */
const writeModels = (directory: string, name: string, language: string) =>
  execFileSync(process.execPath, [writer, directory, name, language])

/** A directory of models over HTTP. */
const startSource = async (directory: string) => {
  const asked: Array<string> = []
  const { close, origin } = await listen((request, response) => {
    const path = join(directory, request.url ?? "")
    asked.push(`${request.url}`)
    if (existsSync(path)) response.end(readFileSync(path))
    else response.writeHead(404).end()
  })
  return { asked, origin, close }
}

const startBucket = async (name: string, folder: string, owner: typeof account) => {
  mkdirSync(join(folder, name))
  const server = new BucketServer(name, join(folder, name), owner)
  const port = await server.listen()
  return { server, owner, origin: `http://127.0.0.1:${port}` }
}

/** A database that takes connections and says nothing. It knows how long the first one stayed. */
const startSilence = async () => {
  const server = createSilentServer((socket) => void socket.on("error", () => undefined).resume())
  const held = Promise.withResolvers<number>()
  server.once("connection", (socket) => {
    const since = performance.now()
    socket.once("close", () => held.resolve(performance.now() - since))
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  const url = `postgres://nobody@127.0.0.1:${port}/nothing`
  return { url, heldMillis: held.promise, close: () => server.close() }
}

/** Starts everything. */
export const startNeighbours = async () => {
  const folder = mkdtempSync(join(tmpdir(), "verbatim-settings-"))
  const templates = join(folder, "templates.json")
  writeFileSync(templates, JSON.stringify({ unusual: { callback_id: "of the template" } }))
  writeModels(join(folder, "models"), "base", "de")
  const offered = join(folder, "offered")
  writeModels(offered, "tailored", "ja")
  const cached = join(folder, "cache", "models")
  mkdirSync(cached, { recursive: true })
  copyFileSync(join(offered, "catalogue.json"), join(cached, "catalogue.json"))
  const neighbours = {
    port: `${await findFreePort("127.0.0.2")}`,
    healthPort: `${await findFreePort("127.0.0.2")}`,
    postgres: await launch(),
    host: await startHost(),
    source: await startSource(offered),
    silences: { hasty: await startSilence(), patient: await startSilence() },
    receiver: await startReceiver(),
    models: {
      hearing: await startModels(),
      writing: await startModels(),
      usual: await startModels()
    },
    buckets: {
      unusual: await startBucket("verbatim-unusual", folder, account),
      usual: await startBucket("verbatim-usual", folder, {
        accessKeyId: "AMAZONS-WAY",
        secretAccessKey: "of the environment"
      })
    }
  }
  const close = async () => {
    const { buckets, host, models, postgres, receiver, silences, source } = neighbours
    const all = [host, source, ...Object.values(silences), ...Object.values(models)]
    for (const each of all) each.close()
    for (const { server } of Object.values(buckets)) server.close()
    await receiver[Symbol.asyncDispose]()
    await postgres.remove()
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  return { ...neighbours, folder, templates, close }
}

export type Neighbours = Awaited<ReturnType<typeof startNeighbours>>
