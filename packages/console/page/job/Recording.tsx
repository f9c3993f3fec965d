/** The recording of a job: to hear, to take along, or why it is not there. */
import { apiAddress, fetchApi } from "../Api.ts"
import { isOver, type JobDetails } from "../jobs/JobTraits.ts"
import { pageHeader } from "../session/Session.ts"
import { Loaded } from "../ui/Empty.tsx"
import { Icon } from "../ui/Icon.tsx"
import { makeSource, useSource } from "../ui/Loaded.ts"
import { writeSize } from "../ui/Words.ts"

interface Kept {
  readonly type: string
  readonly bytes: number
}

const pathOf = (id: string): string => `/v1/transcriptions/${id}/media`

const addressOf = (id: string): string => apiAddress(pathOf(id))

/** Asks whether it is kept, and reads nothing of it; null where it is not. */
const readKept =
  (id: string) =>
  async (signal: AbortSignal): Promise<Kept | null> => {
    const headers = { [pageHeader]: "workspace" }
    const response = await fetchApi(pathOf(id), { method: "HEAD", headers, signal })
    if (response.status === 404) return null
    if (!response.ok) throw new Error(`The server answered with ${response.status}.`)
    return {
      type: response.headers.get("content-type") ?? "",
      bytes: Number(response.headers.get("content-length"))
    }
  }

/** Why it is not there, and what to do about it. */
const whyNot = (job: JobDetails): string => {
  if (job.transcription_status === "ACCEPTED") return "It is fetched from its address first."
  if (!isOver(job)) return "It is not kept any more."
  return job.transcription_status === "FAILED"
    ? "It is not kept any more: recordings of failed jobs go after some days."
    : "It is not kept: it went when it was transcribed. A server with VERBATIM_KEEP_MEDIA=on " +
        "keeps recordings."
}

const Sound = ({ job, kept }: { readonly job: JobDetails; readonly kept: Kept }) => {
  const { filename, id } = job
  const details = [filename, kept.type, writeSize(kept.bytes)]
  return (
    <div class="recording cluster">
      {/* biome-ignore lint/a11y/useMediaCaption: its transcript is on this screen */}
      <audio
        controls
        preload="none"
        src={addressOf(id)}
        aria-label={`Recording ${filename ?? ""}`}
      />
      <a class="button" href={addressOf(id)} download={filename ?? id}>
        <Icon name="download" />
        Download
      </a>
      <p class="hint">{details.filter((part) => part !== undefined && part !== "").join(" · ")}</p>
    </div>
  )
}

/** Shows it. */
export const Recording = ({ job }: { readonly job: JobDetails }) => {
  const { id } = job
  const key = `${id} ${job.transcription_status}`
  const source = useSource(key, () => makeSource(readKept(id)))
  return (
    <Loaded source={source} lines={1} height={54}>
      {(kept) =>
        kept === null ? <p class="hint">{whyNot(job)}</p> : <Sound job={job} kept={kept} />
      }
    </Loaded>
  )
}
