/**
 * The transcript screen: player, search and text, with summary, speakers, corrections and downloads
 * at the side.
 */
import { useEffect, useMemo } from "preact/hooks"
import { isGone } from "../Api.ts"
import { makeJobSource } from "../job/JobSource.ts"
import { PartialResult } from "../job/PartialResult.tsx"
import { Downloads } from "../jobs/Downloads.tsx"
import { JobNotFound } from "../jobs/JobRow.tsx"
import { hasEnded, type Job, nameOf } from "../jobs/JobTraits.ts"
import { linkTo, type Parameters } from "../Router.ts"
import { can } from "../session/Session.ts"
import { Button } from "../ui/Button.tsx"
import { Back, Card } from "../ui/Card.tsx"
import { copyText } from "../ui/Copy.tsx"
import { Empty, Fault, Skeleton } from "../ui/Empty.tsx"
import { useSource } from "../ui/Loaded.ts"
import { useShortcuts } from "../ui/Shortcuts.ts"
import { useTitle } from "../ui/Theme.ts"
import { BlockList } from "./BlockList.tsx"
import { CorrectionVersions } from "./CorrectionVersions.tsx"
import { makeTranscript, type Transcript } from "./Model.ts"
import { stepSeconds } from "./Player.ts"
import { PlayerBar } from "./PlayerBar.tsx"
import { moveHit, Search, searchId } from "./Search.tsx"
import { Speakers } from "./Speakers.tsx"

const useKeys = (transcript: Transcript): void => {
  const { blocks, current, currentBlock, draft, player, segments } = transcript
  const go = (by: number): void => {
    const segment = segments.value[Math.max(0, current.value + by)]
    if (segment !== undefined) player.seek(segment.start)
  }
  useShortcuts([
    { keys: "Space", does: "Play or pause", run: player.toggle },
    { keys: "j", does: "Next segment", repeats: true, run: () => go(1) },
    { keys: "k", does: "Previous segment", repeats: true, run: () => go(-1) },
    {
      keys: "ArrowRight",
      does: "Forward 5 seconds",
      repeats: true,
      run: () => player.step(stepSeconds)
    },
    {
      keys: "ArrowLeft",
      does: "Back 5 seconds",
      repeats: true,
      run: () => player.step(-stepSeconds)
    },
    {
      keys: "/",
      does: "Search the transcript",
      run: () => document.getElementById(searchId)?.focus()
    },
    {
      keys: "n",
      does: "Next match",
      repeats: true,
      run: () => moveHit(transcript, 1)
    },
    {
      keys: "N",
      does: "Previous match",
      repeats: true,
      run: () => moveHit(transcript, -1)
    },
    ...(can("transcriptions:write")
      ? [
          {
            keys: "e",
            does: "Correct the current block",
            run: () => {
              const block = blocks.value[Math.max(0, currentBlock.value)]
              if (block !== undefined) draft.begin(block.first)
            }
          }
        ]
      : [])
  ])
}

/** Copies the whole text, of which the page renders only a part, or a link to the position. */
const CopyButtons = ({
  transcript: { blocks, id, player }
}: {
  readonly transcript: Transcript
}) => {
  const text = (): string =>
    blocks.value.map((block) => `${block.speaker}: ${block.text}`).join("\n\n")
  const link = (): string => {
    const at = Math.floor(player.seconds.peek())
    return new URL(linkTo(`/jobs/${id}/transcript?t=${at}`), document.baseURI).href
  }
  return (
    <div class="cluster">
      <Button class="is-small" onClick={() => void copyText(text())}>
        Copy text
      </Button>
      <Button class="is-small" onClick={() => void copyText(link())}>
        Copy link to this moment
      </Button>
    </div>
  )
}

/** Whether the side panel fits next to the text; on a phone, the user opens it. */
const isWideWindow = (): boolean => matchMedia("(width >= 1080px)").matches

const Side = ({ job, transcript }: { readonly job: Job; readonly transcript: Transcript }) => (
  <details class="transcript-side" open={isWideWindow()}>
    <summary class="button">Speakers, corrections, downloads</summary>
    {job.summary === undefined ? null : (
      <Card title="Summary">
        <p class="summary-text" dir="auto">
          {job.summary}
        </p>
      </Card>
    )}
    <Card title="Speakers">
      <Speakers transcript={transcript} />
    </Card>
    <Card title="Corrections">
      <CorrectionVersions transcript={transcript} />
    </Card>
    <Card title="Copy and download">
      <CopyButtons transcript={transcript} />
      <Downloads job={job} />
    </Card>
  </details>
)

const TranscriptView = ({
  job,
  transcript
}: {
  readonly job: Job
  readonly transcript: Transcript
}) => {
  useKeys(transcript)
  return (
    <>
      <div class="transcript-top stack-2">
        <PlayerBar transcript={transcript} />
        <Search transcript={transcript} />
      </div>
      <div class="transcript">
        <BlockList transcript={transcript} />
        <Side job={job} transcript={transcript} />
      </div>
    </>
  )
}

/** Shows the text while it is recognised, and calls `onDone` when there is a transcript. */
const Growing = ({ id, onDone }: { readonly id: string; readonly onDone: () => void }) => {
  const source = useSource(id, () => makeJobSource(id))
  const job = source.state.value.value?.job
  const isDone = job !== undefined && (job.output !== undefined || hasEnded(job))
  useEffect(() => {
    if (isDone) onDone()
  }, [isDone])
  return job?.partial_output === undefined ? (
    <Empty icon="wave" title="No transcript">
      <p>The transcript is not ready yet. Its text appears here as it is recognised.</p>
      <a class="button" href={linkTo(`/jobs/${id}`)}>
        See the job
      </a>
    </Empty>
  ) : (
    <PartialResult partial={job.partial_output} />
  )
}

const Nothing = ({ job }: { readonly job: Job }) => (
  <Empty icon="wave" title={job.output === undefined ? "No transcript" : "No speech"}>
    <p>
      {job.output === undefined
        ? (job.error ?? "The transcript is no longer kept.")
        : "No speech was recognised in the recording."}
    </p>
    <a class="button" href={linkTo(`/jobs/${job.id}`)}>
      See the job
    </a>
  </Empty>
)

const Content = ({
  isEmpty,
  job,
  transcript
}: {
  readonly job: Job
  readonly transcript: Transcript
  readonly isEmpty: boolean
}) => {
  if (!isEmpty) return <TranscriptView job={job} transcript={transcript} />
  return job.output === undefined && !hasEnded(job) ? (
    <Growing id={job.id} onDone={() => void transcript.source.reload()} />
  ) : (
    <Nothing job={job} />
  )
}

/** Shows the screen. */
export const TranscriptScreen = ({ params }: { readonly params: Parameters }) => {
  const id = params.id ?? ""
  const transcript = useMemo(() => makeTranscript(id), [id])
  useEffect(() => transcript.end, [transcript])
  const { cause, fault, value } = transcript.source.state.value
  const isDeleted = isGone(cause)
  const title = value === undefined ? "Transcript" : nameOf(value.job)
  useTitle(value === undefined ? title : `${title}, transcript`)
  return (
    <>
      <Back to={`/jobs/${id}`} word="Job" />
      <div class="screen-head cluster">
        <h1 class="is-long breaks" dir="auto">
          {title}
        </h1>
      </div>
      {isDeleted ? <JobNotFound /> : null}
      {fault === undefined || isDeleted ? null : (
        <Fault text={fault} again={() => void transcript.source.reload()} />
      )}
      {value === undefined && fault === undefined ? <Skeleton lines={6} height={88} /> : null}
      {value === undefined || isDeleted ? null : (
        <Content job={value.job} transcript={transcript} isEmpty={value.segments.length === 0} />
      )}
    </>
  )
}
