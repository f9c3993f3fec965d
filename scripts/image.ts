/**
 * The image without a builder: takes the steps of the Dockerfile itself, file by file and command
 * by command, in layers over this system, and runs what comes out as a container would: another
 * user, a read-only root, no home, its own environment alone. `npm run test:image`: Linux, root.
 */

import assert from "node:assert/strict"
import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, openAsBlob, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { findFreePort } from "../packages/testkit/src/servers/FreePort.ts"
import { Container } from "./image/Container.ts"
import { copyContext, readRules } from "./image/Context.ts"
import { heard, startHearingServer } from "./image/HearingServer.ts"
import { beginOver, type Layer, makeBase, must, take } from "./image/Layers.ts"
import { readStages, type Setup } from "./image/Recipe.ts"

const root = fileURLToPath(new URL("..", import.meta.url))
const key = "image-test-inference-key-0123456789"
const recording = join(root, "packages/adapters/test/media/letter.wav")

const say = (line: string): void => console.log(`image: ${line}`)

/** Makes every stage, and returns the last one. */
const makeImage = (folder: string): { readonly layer: Layer; readonly setup: Setup } => {
  const context = join(folder, "context")
  mkdirSync(context)
  const rules = readRules(readFileSync(join(root, ".dockerignore"), "utf8"))
  say(`${copyContext(root, { rules, target: context })} files go to the builder`)
  const layers = new Map<string, Layer>()
  const base = makeBase(folder)
  let last: { readonly layer: Layer; readonly setup: Setup } | undefined
  for (const [number, stage] of readStages(
    readFileSync(join(root, "Dockerfile"), "utf8")
  ).entries()) {
    say(`stage ${number + 1}: ${stage.name} from ${stage.base}`)
    const layer = beginOver(layers.get(stage.base) ?? base, join(folder, `stage-${number + 1}`))
    const originOf = (from: string | undefined) =>
      from === undefined ? context : (layers.get(from)?.root ?? "/nowhere")
    for (const placed of stage.steps) take(layer, placed, originOf)
    layers.set(stage.name, layer)
    last = { layer, setup: stage.setup }
  }
  if (last === undefined) throw new Error("the Dockerfile has no stage")
  return last
}

type Json = Readonly<Record<string, unknown>>

const ask = async (url: string, init: RequestInit = {}): Promise<Json> => {
  const answer = await fetch(url, { ...init, headers: { authorization: `Bearer ${key}` } })
  return { status: answer.status, ...((await answer.json()) as Json) }
}

/** Looks until something is so, for a minute. */
const settle = async (look: () => Promise<Json>, is: (seen: Json) => boolean): Promise<Json> => {
  let seen = await look()
  for (let count = 0; count < 240 && !is(seen); count += 1) {
    await sleep(250)
    seen = await look()
  }
  assert.ok(is(seen), JSON.stringify(seen))
  return seen
}

const transcribe = async (address: string): Promise<void> => {
  const body = new FormData()
  body.set("file", await openAsBlob(recording), "letter.wav")
  const { id } = await ask(`${address}/v1/transcribe`, { method: "POST", body })
  const done = ["COMPLETED", "FAILED"]
  const job = await settle(
    () => ask(`${address}/v1/status/${id}`),
    ({ transcription_status: status }) => done.includes(String(status))
  )
  assert.ok(JSON.stringify(job).includes(heard), JSON.stringify(job))
}

/** The API and the work in one container: healthy, ready, one job, the doctor, and a stop. */
const tryServer = async (layer: Layer, setup: Setup, folder: string): Promise<void> => {
  const models = await startHearingServer()
  const port = `${await findFreePort()}`
  const variables = {
    VERBATIM_HOST: "127.0.0.1",
    VERBATIM_PORT: port,
    VERBATIM_TRANSCRIBER: "openai",
    VERBATIM_OPENAI_BASE_URL: models.url,
    VERBATIM_BOOTSTRAP_INFERENCE_KEY: key
  }
  const container = new Container(layer, setup, { root: join(folder, "server"), variables })
  await container.healthy()
  const address = `http://127.0.0.1:${port}`
  await settle(
    () => ask(`${address}/health/ready`),
    ({ ready }) => ready === true
  )
  say("it is healthy, and ready")
  await transcribe(address)
  say("it transcribed a recording")
  const { status, stdout } = container.operate("doctor")
  console.log(stdout.trim())
  assert.equal(status, 0)
  assert.match(stdout, /ok\s+decoder\s+ffmpeg of the system/)
  const touched = container.run(["touch", "/app/new", "/etc/new"])
  assert.match(touched.stderr, /Read-only file system/)
  assert.equal(container.run(["id", "-u"]).stdout.trim(), setup.user.split(":")[0])
  assert.equal(await container.stop(), 0)
  models.close()
  say("its root is read-only, and it stops when it is told to")
}

/** A container that only works is healthy by the same check. */
const tryWorker = async (layer: Layer, setup: Setup, folder: string): Promise<void> => {
  const port = `${await findFreePort()}`
  const variables = {
    VERBATIM_ROLES: "worker",
    VERBATIM_PORT: port,
    VERBATIM_HEALTH_PORT: port,
    VERBATIM_TRANSCRIBER: "openai",
    VERBATIM_OPENAI_API_KEY: "none"
  }
  const container = new Container(layer, setup, { root: join(folder, "worker"), variables })
  await container.healthy()
  assert.equal(await container.stop(), 0)
  say("a container that only works is healthy, too")
}

const main = async (): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), "verbatim-image-"))
  // Layers need a file system that can keep their marks; this one goes with the namespace.
  must("mount", "-t", "tmpfs", "none", folder)
  try {
    const { layer, setup } = makeImage(folder)
    const { stdout } = spawnSync("du", ["-sm", layer.changes], { encoding: "utf8" })
    say(`${stdout.split("\t")[0]} MB over the image that it begins with`)
    await tryServer(layer, setup, folder)
    await tryWorker(layer, setup, folder)
  } finally {
    spawnSync("umount", ["--lazy", "--recursive", folder])
    rmSync(folder, { recursive: true, force: true })
  }
}

const isInside = process.argv.includes("--inside")

/** The mounts belong to this process alone, and end with it. */
const runInside = (): number | null => {
  const words = ["--mount", "--propagation", "private", process.execPath, ...process.argv.slice(1)]
  return spawnSync("unshare", [...words, "--inside"], { stdio: "inherit" }).status
}

if (isInside) await main()
else process.exitCode = runInside() ?? 1
