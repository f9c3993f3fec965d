/**
 * Recordings on their way to the server, with how far each one is. They go one after another, so
 * that the first one is done soon; one that did not arrive can be sent again.
 */
import { signal } from "@preact/signals"
import type { components } from "@verbatim/client"
import { apiAddress } from "../Api.ts"
import { forget, holder, pageHeader, session } from "../session/Session.ts"
import { askBeforeLeaving } from "../ui/Deferred.ts"
import { notify } from "../ui/Toasts.tsx"
import { makeId } from "../ui/Words.ts"

type Job = components["schemas"]["Job"]

/** A recording on its way. */
export interface Upload {
  readonly id: string
  readonly name: string
  /** Whose it is: with another key it is not shown, and nothing is sent. */
  readonly of: string
  /** From 0 to 1; nothing while it waits for those before it. */
  readonly share: number | undefined
  readonly fault: string | undefined
  readonly cancel: () => void
  readonly again: () => void
}

/** All that are not over. */
export const uploads = signal<ReadonlyArray<Upload>>([])

askBeforeLeaving(() => uploads.value.some(({ fault }) => fault === undefined))

const find = (id: string): Upload | undefined => uploads.value.find((upload) => upload.id === id)

const change = (id: string, part: Partial<Upload>): void => {
  uploads.value = uploads.value.map((upload) =>
    upload.id === id ? { ...upload, ...part } : upload
  )
}

const drop = (id: string): void => {
  uploads.value = uploads.value.filter((upload) => upload.id !== id)
}

/** Stops all of them: whoever began them has left. */
export const dropUploads = (): void => {
  for (const { cancel } of uploads.value) cancel()
}

const sentenceIn = (request: XMLHttpRequest): string => {
  const body: unknown = request.response
  const detail: unknown = Object(body).detail
  if (typeof detail === "string") return detail
  return request.status === 0
    ? "The connection broke."
    : `The server answered with ${request.status}.`
}

const unreadable =
  "The browser cannot read it: it is a folder, or it was moved or changed. Choose it again."

/** Whether the browser can read it: a folder can be dropped like a file, and files move. */
const isReadable = (file: File): Promise<boolean> =>
  file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false
    )

/** Sends one; nothing where it did not arrive, or somebody stopped it. */
const send = (id: string, file: File): Promise<Job | undefined> =>
  new Promise((resolve) => {
    const request = new XMLHttpRequest()
    const asked = session.peek()
    change(id, { share: 0, cancel: () => request.abort() })
    const fail = async (): Promise<void> => {
      if (request.status === 401 && request.getResponseHeader(pageHeader) !== null) forget(asked)
      const isSent = request.status !== 0 || (await isReadable(file))
      const fault = isSent ? sentenceIn(request) : unreadable
      change(id, { share: undefined, fault, cancel: () => drop(id) })
      resolve(undefined)
    }
    request.upload.addEventListener("progress", ({ loaded, total }) => {
      change(id, { share: total === 0 ? 0 : loaded / total })
    })
    request.addEventListener("load", () => {
      if (request.status !== 200) return void fail()
      drop(id)
      return resolve(request.response)
    })
    request.addEventListener("error", () => void fail())
    request.addEventListener("abort", () => {
      drop(id)
      resolve(undefined)
    })
    request.open("POST", apiAddress("/v1/transcribe"))
    request.responseType = "json"
    request.setRequestHeader(pageHeader, "workspace")
    // One that had arrived, though no answer came, is sent again and makes no second job.
    request.setRequestHeader("idempotency-key", id)
    const form = new FormData()
    form.set("file", file)
    request.send(form)
  })

let last: Promise<void> = Promise.resolve()

/** Sends one when those before it are over, unless somebody has stopped it until then. */
const queue = (id: string, file: File, onJob: (job: Job) => void): void => {
  const run = async (): Promise<void> => {
    const upload = find(id)
    if (upload === undefined) return
    if (upload.of !== holder.value) {
      const fault = "The session ended before it was sent."
      return change(id, { fault })
    }
    const job = await send(id, file)
    if (job === undefined) return
    onJob(job)
    notify(`${file.name} is being transcribed.`)
  }
  last = last.then(run)
}

/** Sends recordings, and tells of each one that was accepted. */
export const sendAll = (files: ReadonlyArray<File>, onJob: (job: Job) => void): void => {
  for (const file of files) {
    const id = makeId()
    const cancel = (): void => drop(id)
    const again = (): void => {
      change(id, { fault: undefined, share: undefined, cancel })
      queue(id, file, onJob)
    }
    uploads.value = [
      ...uploads.value,
      { id, of: holder.value, name: file.name, share: undefined, fault: undefined, cancel, again }
    ]
    queue(id, file, onJob)
  }
}
