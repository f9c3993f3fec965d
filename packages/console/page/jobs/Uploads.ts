/** Uploads recordings one after another, so that the first one finishes soon. */
import { signal } from "@preact/signals"
import { apiAddress, sentenceOf } from "../Api.ts"
import { expireSession, owner, pageHeader, pageHeaderFor, session } from "../session/Session.ts"
import { confirmBeforeLeaving } from "../ui/Deferred.ts"
import { notify } from "../ui/Toasts.tsx"
import { makeId } from "../ui/Words.ts"
import type { Job } from "./JobTraits.ts"

export interface Upload {
  readonly id: string
  readonly name: string
  /** The user who started the upload. Under another key, the upload is neither shown nor sent. */
  readonly owner: string
  /** The progress from 0 to 1. Undefined while the upload waits for earlier uploads. */
  readonly share: number | undefined
  readonly fault: string | undefined
  readonly cancel: () => void
  readonly again: () => void
}

type Recording = Readonly<{ name: string; file?: File; fields?: Readonly<Record<string, string>> }>

/** Number of jobs accepted so far. When this number grows, the list of jobs is reread. */
export const acceptedCount = signal(0)
export const uploads = signal<ReadonlyArray<Upload>>([])

confirmBeforeLeaving(() => uploads.value.some(({ fault }) => fault === undefined))

const change = (id: string, part: Partial<Upload>): void => {
  uploads.value = uploads.value.map((each) => (each.id === id ? { ...each, ...part } : each))
}

const drop = (id: string): void => {
  uploads.value = uploads.value.filter((upload) => upload.id !== id)
}

export const cancelUploads = (): void => {
  for (const { cancel } of uploads.value) cancel()
}

const unreadable =
  "The browser cannot read this file: it is a folder, or it was moved or changed. Choose it again."

const explain = async ({ response, status }: XMLHttpRequest, file?: File): Promise<string> => {
  const detail: unknown = Object(response).detail
  if (typeof detail === "string") return detail
  if (status !== 0) return `The server answered with ${status}.`
  // The browser does not say that a file is a folder or was moved.
  const start = await file
    ?.slice(0, 1)
    .arrayBuffer()
    .catch(() => unreadable)
  return start === unreadable ? unreadable : "The connection was lost."
}

/** Returns undefined if the upload was cancelled. */
const send = (id: string, { fields = {}, file }: Recording): Promise<Job | undefined> =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const sender = session.peek()
    change(id, { share: 0, cancel: () => request.abort() })
    const fail = async (): Promise<void> => {
      if (request.status === 401 && request.getResponseHeader(pageHeader) !== null)
        expireSession(sender)
      reject(new Error(await explain(request, file)))
    }
    request.upload.addEventListener("progress", ({ loaded, total }) => {
      change(id, { share: total === 0 ? 0 : loaded / total })
    })
    const end = (job?: Job): void => {
      drop(id)
      resolve(job)
    }
    request.addEventListener("load", () =>
      request.status === 200 ? end(request.response) : void fail()
    )
    request.addEventListener("error", () => void fail())
    request.addEventListener("abort", () => end())
    request.open("POST", apiAddress("/v1/transcribe"))
    request.responseType = "json"
    request.setRequestHeader(pageHeader, pageHeaderFor("workspace"))
    // If the upload arrived but the response was lost, a retry creates no second job.
    request.setRequestHeader("idempotency-key", id)
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.set(name, value)
    if (file !== undefined) form.set("file", file)
    request.send(form)
  })

/** Rejects if the request is refused. A repeated id creates no second job. */
export const requestJob = async (id: string, recording: Recording): Promise<void> => {
  const job = await send(id, recording)
  if (job === undefined) return
  acceptedCount.value += 1
  notify(`${recording.name} is being transcribed.`)
}

let last: Promise<void> = Promise.resolve()

const queue = (id: string, recording: Recording): void => {
  const run = async (): Promise<void> => {
    const upload = uploads.value.find((each) => each.id === id)
    if (upload === undefined) return
    if (upload.owner !== owner.value) {
      const fault = "The session ended before the recording was sent."
      return change(id, { fault })
    }
    await requestJob(id, recording).catch((cause: unknown) =>
      change(id, { share: undefined, fault: sentenceOf(cause), cancel: () => drop(id) })
    )
  }
  last = last.then(run)
}

export const sendFiles = (files: ReadonlyArray<File>, fields: Recording["fields"] = {}): void => {
  for (const file of files) {
    const id = makeId()
    const recording = { name: file.name, file, fields }
    const waiting = { fault: undefined, share: undefined, cancel: () => drop(id) }
    const again = (): void => {
      change(id, waiting)
      queue(id, recording)
    }
    const upload = { id, owner: owner.value, name: file.name, again, ...waiting }
    uploads.value = [...uploads.value, upload]
    queue(id, recording)
  }
}
