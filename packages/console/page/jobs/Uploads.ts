/**
 * Recordings on their way to the server, with how far each one is. They go one after another, so
 * that the first one is done soon.
 */
import { signal } from "@preact/signals"
import type { components } from "@verbatim/client"
import { apiAddress } from "../Api.ts"
import { pageHeader } from "../session/Session.ts"
import { notify } from "../ui/Toasts.tsx"

type Job = components["schemas"]["Job"]

/** A recording on its way. */
export interface Upload {
  readonly id: number
  readonly name: string
  /** From 0 to 1. */
  readonly share: number
  readonly fault: string | undefined
  readonly cancel: () => void
}

/** All that are not over. */
export const uploads = signal<ReadonlyArray<Upload>>([])

let made = 0

const change = (id: number, part: Partial<Upload>): void => {
  uploads.value = uploads.value.map((upload) =>
    upload.id === id ? { ...upload, ...part } : upload
  )
}

const drop = (id: number): void => {
  uploads.value = uploads.value.filter((upload) => upload.id !== id)
}

/** Forgets one that failed. */
export const dismissUpload = drop

const sentenceIn = (request: XMLHttpRequest): string => {
  const body: unknown = request.response
  const detail: unknown = Object(body).detail
  if (typeof detail === "string") return detail
  return request.status === 0
    ? "The connection broke. Send it again."
    : `The server answered with ${request.status}.`
}

/** What is asked for beside the recording. */
export type Wishes = Readonly<Record<string, string>>

const send = (file: File, wishes: Wishes): Promise<Job | undefined> =>
  new Promise((resolve) => {
    const request = new XMLHttpRequest()
    made += 1
    const id = made
    const cancel = (): void => request.abort()
    uploads.value = [...uploads.value, { id, name: file.name, share: 0, fault: undefined, cancel }]
    const end = (job: Job | undefined): void => {
      if (job === undefined) change(id, { fault: sentenceIn(request) })
      else drop(id)
      resolve(job)
    }
    request.upload.addEventListener("progress", ({ loaded, total }) => {
      change(id, { share: total === 0 ? 0 : loaded / total })
    })
    request.addEventListener("load", () =>
      end(request.status === 200 ? request.response : undefined)
    )
    request.addEventListener("error", () => end(undefined))
    request.addEventListener("abort", () => {
      drop(id)
      resolve(undefined)
    })
    request.open("POST", apiAddress("/v1/transcribe"))
    request.responseType = "json"
    request.setRequestHeader(pageHeader, "workspace")
    const form = new FormData()
    for (const [name, value] of Object.entries(wishes)) if (value !== "") form.set(name, value)
    // The file comes last: a mistake in a wish is told before anything is read.
    form.set("file", file)
    request.send(form)
  })

/** Sends recordings, and tells of each one that was accepted. */
export const sendAll = async (
  files: ReadonlyArray<File>,
  { onJob, wishes }: { readonly wishes: Wishes; readonly onJob: (job: Job) => void }
): Promise<void> => {
  for (const file of files) {
    const job = await send(file, wishes)
    if (job === undefined) continue
    onJob(job)
    notify(`${file.name} is being transcribed.`)
  }
}
