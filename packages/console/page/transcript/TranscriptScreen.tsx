/** A transcript: what was said, as it goes, with all that is made of it beside it. */
import { useEffect, useMemo } from "preact/hooks"
import { isGone } from "../Api.ts"
import { Downloads } from "../jobs/Downloads.tsx"
import { Gone } from "../jobs/JobRow.tsx"
import { isOver, type Job, nameOf } from "../jobs/JobTraits.ts"
import { linkTo, type Parameters } from "../Router.ts"
import { may } from "../session/Session.ts"
import { Back, Card } from "../ui/Card.tsx"
import { Empty, Fault, Skeleton } from "../ui/Empty.tsx"
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
      does: "Five seconds on",
      repeats: true,
      run: () => player.step(stepSeconds)
    },
    {
      keys: "ArrowLeft",
      does: "Five seconds back",
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
      does: "Next place that was found",
      repeats: true,
      run: () => moveHit(transcript, 1)
    },
    {
      keys: "N",
      does: "Previous place that was found",
      repeats: true,
      run: () => moveHit(transcript, -1)
    },
    ...(may("transcriptions:write")
      ? [
          {
            keys: "e",
            does: "Correct what is said now",
            run: () => {
              const block = blocks.value[Math.max(0, currentBlock.value)]
              if (block !== undefined) draft.begin(block.first)
            }
          }
        ]
      : [])
  ])
}

/** Where there is room for it, it stands beside the text; on a phone it is opened. */
const isRoomy = (): boolean => matchMedia("(width >= 1080px)").matches

const Side = ({ job, transcript }: { readonly job: Job; readonly transcript: Transcript }) => (
  <details class="transcript-side" open={isRoomy()}>
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
    <Card title="Download">
      <Downloads id={job.id} />
    </Card>
  </details>
)

const Whole = ({ job, transcript }: { readonly job: Job; readonly transcript: Transcript }) => {
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

const whyNone = (job: Job): string =>
  isOver(job)
    ? "It is no longer kept."
    : "It is not there yet. It appears here when the recording is transcribed."

const Nothing = ({ job }: { readonly job: Job }) => (
  <Empty icon="wave" title={job.output === undefined ? "No transcript" : "Nothing was said"}>
    <p>
      {job.output === undefined
        ? (job.error ?? whyNone(job))
        : "The recording has no speech in it."}
    </p>
    <a class="button" href={linkTo(`/jobs/${job.id}`)}>
      See the job
    </a>
  </Empty>
)

/** The screen. */
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
      {isDeleted ? <Gone /> : null}
      {fault === undefined || isDeleted ? null : (
        <Fault text={fault} again={() => void transcript.source.reload()} />
      )}
      {value === undefined && fault === undefined ? <Skeleton lines={6} height={88} /> : null}
      {value === undefined || isDeleted ? null : value.segments.length === 0 ? (
        <Nothing job={value.job} />
      ) : (
        <Whole job={value.job} transcript={transcript} />
      )}
    </>
  )
}
