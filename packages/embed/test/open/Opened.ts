/** Opens Verbatim for tests. The engine's transcripts state how long the recording is. */

import { mkdtempSync, rmSync } from "node:fs"
import type { Server } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import {
  type Embedded,
  type Engine,
  open,
  type SharedOptions,
  type Transcribe,
  type Verbatim,
  VerbatimError
} from "@verbatim/embed"
import pg from "pg"
import { assert, inject, onTestFinished } from "vitest"

/** A minute of speech, as an MP3 file. */
export const recording = fileURLToPath(
  new URL("../../../../examples/audio/harbour-minute.mp3", import.meta.url)
)

/** An engine with transcripts that state how long the recording is. */
export const measuring: Transcribe = ({ durationMillis }) =>
  Promise.resolve({
    language: "en",
    segments: [{ startMillis: 0, endMillis: durationMillis, text: `${durationMillis} ms` }]
  })

type Chosen = Partial<SharedOptions> & { readonly transcribe?: Transcribe | Engine }

/**
 * Opens Verbatim, in memory unless the options say otherwise, and closes it at the end of the test.
 */
export const openFor = async (options: Chosen = {}): Promise<Verbatim> => {
  const verbatim = await open({ database: "memory:", transcribe: measuring, ...options })
  onTestFinished(() => verbatim.close())
  return verbatim
}

/** Creates an empty folder that is removed at the end of the test. */
export const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "verbatim-embed-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Collects unhandled rejections until the end of the test. */
export const collectFaults = (): ReadonlyArray<unknown> => {
  const faults: Array<unknown> = []
  const listener = (fault: unknown) => faults.push(fault)
  process.on("unhandledRejection", listener)
  onTestFinished(() => void process.off("unhandledRejection", listener))
  return faults
}

/** Starts a server that stops at the end of the test, and returns its origin. */
export const listen = async (server: Server): Promise<string> => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Returns an SQLite file and a media folder that are removed at the end of the test. */
export const newStore = () => {
  const folder = newFolder()
  return { database: `sqlite:${folder}/app.db`, media: `${folder}/media` }
}

/** An engine that waits until the test lets it continue. */
export const gated = () => {
  const gate = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const transcribe: Transcribe = async (wanted) => {
    wanted.progress(0.25)
    begun.resolve()
    const aborted = new Promise<never>((_, reject) => {
      wanted.signal.addEventListener("abort", () => reject(wanted.signal.reason), { once: true })
    })
    await Promise.race([gate.promise, aborted])
    return measuring(wanted)
  }
  return { transcribe, open: gate.resolve, begun: begun.promise }
}

/** Waits until a job has ended, with frequent polls. */
export const ended = ({ transcriptions }: Embedded, id: string) =>
  transcriptions.wait(id, { interval: 20 })

/** Submits the recording, and waits until its job has ended. */
export const transcribed = async (client: Embedded) => {
  const { id } = await client.transcriptions.create({ path: recording })
  return ended(client, id)
}

/** Returns the error with which a promise rejects. */
export const rejection = async (promise: Promise<unknown>): Promise<unknown> => {
  try {
    await promise
  } catch (fault) {
    return fault
  }
  throw new Error("the promise was not rejected")
}

/** Returns the error of a call that must be refused with the given status. */
export const refusal = async (
  status: number,
  promise: Promise<unknown>
): Promise<VerbatimError> => {
  const fault = await rejection(promise)
  assert.instanceOf(fault, VerbatimError)
  assert.deepStrictEqual([fault.kind, fault.status], ["refused", status], fault.message)
  return fault
}

/** Creates an empty database on the Postgres server that all tests share, and returns its URL. */
export const newDatabase = async (name: string): Promise<string> => {
  const url = new URL(await (await fetch(inject("postgres"))).text())
  const server = new pg.Client({ connectionString: url.href })
  await server.connect()
  await server.query(`DROP DATABASE IF EXISTS ${name}`)
  await server.query(`CREATE DATABASE ${name}`)
  await server.end()
  url.pathname = `/${name}`
  return url.href
}

/** Creates an empty database, and the host's pool for it. The pool is closed after the test. */
export const newPool = async (name: string): Promise<pg.Pool> => {
  const pool = new pg.Pool({ connectionString: await newDatabase(name) })
  pool.on("error", () => undefined)
  onTestFinished(() => pool.end())
  return pool
}
