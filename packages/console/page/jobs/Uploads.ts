/**
 * Recordings on their way to the server, with how far each one is. They go one after another, so
 * that the first one is done soon; one that did not arrive can be sent again.
 */
import { signal } from "@preact/signals"
import type { components } from "@verbatim/client"
import { apiAddress } from "../Api.ts"
import { forget, pageHeader } from "../session/Session.ts"
import { notify } from "../ui/Toasts.tsx"
import { askBeforeLeaving } from "../ui/Unsaved.ts"

type Job = components["schemas"]["Job"]

/** A recording on its way. */
export interface Upload {
  readonly id: number
  readonly name: string
  /** From 0 to 1; nothing while it waits for those before it. */
  readonly share: number | undefined
  readonly fault: string | undefined
  readonly cancel: () => void
  readonly again: () => void
}

/** All that are not over. */
export const uploads = signal<ReadonlyArray<Upload>>([])

askBeforeLeaving(() => uploads.value.some(({ fault }) => fault === undefined))

let made = 0

const find = (id: number): Upload | undefined => uploads.value.find((upload) => upload.id === id)

const change = (id: number, part: Partial<Upload>): void => {
  uploads.value = uploads.value.map((upload) =>
    upload.id === id ? { ...upload, ...part } : upload
  )
}

const drop = (id: number): void => {
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

/** Sends one; nothing where it did not arrive, or somebody stopped it. */
const send = (id: number, file: File): Promise<Job | undefined> =>
  new Promise((resolve) => {
    const request = new XMLHttpRequest()
    change(id, { share: 0, cancel: () => request.abort() })
    const fail = (): void => {
      if (request.status === 401 && request.getResponseHeader(pageHeader) !== null) forget()
      change(id, { share: undefined, fault: sentenceIn(request), cancel: () => drop(id) })
      resolve(undefined)
    }
    request.upload.addEventListener("progress", ({ loaded, total }) => {
      change(id, { share: total === 0 ? 0 : loaded / total })
    })
    request.addEventListener("load", () => {
      if (request.status !== 200) return fail()
      drop(id)
      return resolve(request.response)
    })
    request.addEventListener("error", fail)
    request.addEventListener("abort", () => {
      drop(id)
      resolve(undefined)
    })
    request.open("POST", apiAddress("/v1/transcribe"))
    request.responseType = "json"
    request.setRequestHeader(pageHeader, "workspace")
    const form = new FormData()
    form.set("file", file)
    request.send(form)
  })

let last: Promise<void> = Promise.resolve()

/** Sends one when those before it are over, unless somebody has stopped it until then. */
const queue = (id: number, file: File, onJob: (job: Job) => void): void => {
  const run = async (): Promise<void> => {
    if (find(id) === undefined) return
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
    made += 1
    const id = made
    const cancel = (): void => drop(id)
    const again = (): void => {
      change(id, { fault: undefined, share: undefined, cancel })
      queue(id, file, onJob)
    }
    uploads.value = [
      ...uploads.value,
      { id, name: file.name, share: undefined, fault: undefined, cancel, again }
    ]
    queue(id, file, onJob)
  }
}
