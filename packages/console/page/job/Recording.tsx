/** Shows a job's recording with a player and a download link, or explains why it is missing. */
import { apiAddress, fetchApi } from "../Api.ts"
import { hasEnded, type JobDetails } from "../jobs/JobTraits.ts"
import { pageHeader } from "../session/Session.ts"
import { ButtonLink } from "../ui/Card.tsx"
import { Load } from "../ui/Loaded.tsx"
import { formatSize } from "../ui/Words.ts"

type StoredMedia = Readonly<{ type: string; bytes: number }>
const pathOf = (id: string): string => `/v1/transcriptions/${id}/media`
const addressOf = (id: string): string => apiAddress(pathOf(id))

const readStored = async (id: string, signal: AbortSignal): Promise<StoredMedia | null> => {
  const sent = { [pageHeader]: "workspace" }
  const init = { method: "HEAD", headers: sent, signal }
  const { headers, ok, status } = await fetchApi(pathOf(id), init)
  // The response is 409 if the recording was never fetched or is no longer stored.
  if (status === 404 || status === 409) return null
  if (!ok) throw new Error(`The server answered with ${status}.`)
  return { type: headers.get("content-type") ?? "", bytes: Number(headers.get("content-length")) }
}

const missingReason = (job: JobDetails): string => {
  if (job.transcription_status === "ACCEPTED") return "The recording is fetched from its URL first."
  if (!hasEnded(job)) return "The recording is no longer stored."
  return job.transcription_status === "FAILED"
    ? "There is no recording: it was never fetched, or it was deleted some days after the failure."
    : "The recording was deleted after transcription. A server with VERBATIM_KEEP_MEDIA=on " +
        "keeps recordings."
}

const showPlayer = ({ filename, id }: JobDetails, stored: StoredMedia) => {
  const details = [filename, stored.type, formatSize(stored.bytes)]
  const isVideo = stored.type.startsWith("video/")
  const Media = isVideo ? "video" : "audio"
  return (
    <div class="recording cluster">
      <Media
        controls
        preload={isVideo ? "metadata" : "none"}
        src={addressOf(id)}
        aria-label={`Recording ${filename ?? ""}`}
      />
      <ButtonLink icon="download" to={addressOf(id)} download={filename ?? id} word="Download" />
      <p class="hint">{details.filter((part) => part !== undefined && part !== "").join(" · ")}</p>
    </div>
  )
}

export const Recording = ({ job }: { readonly job: JobDetails }) => (
  <Load
    of={`${job.id} ${job.transcription_status}`}
    read={(signal) => readStored(job.id, signal)}
    lines={1}
    height={54}
    keepsPrevious
  >
    {(stored) =>
      stored === null ? <p class="hint">{missingReason(job)}</p> : showPlayer(job, stored)
    }
  </Load>
)
