/**
 * Tests the server from its tarball. Starts it with an operator's command, checks that it responds
 * and stops, and transcribes a recording.
 */
import { join } from "node:path"
import { startChild } from "../../bench/Child.ts"
import type { Host } from "./Host.ts"
import { root } from "./Packing.ts"

/** The path of the program within the folder of an installation. */
export const command = "node_modules/@verbatim/server/bin/verbatim.js"

const recording = join(root, "examples/audio/harbour-minute.mp3")

/** Transcribes a recording with the engine that needs no model, and any decoder. */
const tryTranscribing = async ({ run }: Pick<Host, "run">): Promise<void> => {
  const transcript = await run([command, "transcribe", recording, "--format", "plain_text"], {
    VERBATIM_MODEL_SOURCE: "hub:https://hub.invalid"
  })
  if (!transcript.includes("summer boat trip")) throw new Error(`the transcript is: ${transcript}`)
}

/** Starts the server, checks its health, and stops it. Rejects if any of these steps fails. */
const tryServing = async ({ folder }: Pick<Host, "folder">): Promise<void> => {
  await using server = await startChild({
    cwd: folder,
    args: [command, "serve"],
    environment: {
      PATH: process.env.PATH,
      VERBATIM_CACHE_DIR: join(folder, "cache"),
      VERBATIM_PORT: "0",
      // This server needs no engine, because `transcribe` tests the engine.
      VERBATIM_ROLES: "http"
    }
  })
  const { status } = await fetch(`${server.address}/health`)
  if (status !== 200) throw new Error(`the server answered ${status}\n${server.output()}`)
  await server[Symbol.asyncDispose]()
  const { exitCode } = server.process
  if (exitCode !== 0 && process.platform !== "win32")
    throw new Error(`the server ended with ${exitCode}\n${server.output()}`)
}

/** Tests an installed server. Rejects if the server does not work. */
export const tryServer = async (host: Host): Promise<void> => {
  await tryServing(host)
  await tryTranscribing(host)
}
