/** The transcript screen: player, search and text, with everything else at the side. */
import { useEffect } from "preact/hooks"
import { makeJobSource } from "../job/JobSource.ts"
import { PartialResult } from "../job/PartialResult.tsx"
import { Downloads } from "../jobs/Downloads.tsx"
import { jobNotFound } from "../jobs/JobRow.tsx"
import { hasEnded, type JobDetails, nameOf } from "../jobs/JobTraits.ts"
import { linkTo, type Parameters } from "../Router.ts"
import { can } from "../session/Session.ts"
import { Button } from "../ui/Button.tsx"
import { Back, Card, copyText, ScreenHead } from "../ui/Card.tsx"
import { Empty, Loaded, useSource } from "../ui/Loaded.tsx"
import { useShortcuts } from "../ui/Shortcuts.ts"
import { findEditor } from "./BlockEditor.tsx"
import { BlockList, segmentInView } from "./BlockList.tsx"
import { CorrectionVersions } from "./CorrectionVersions.tsx"
import { makeTranscript, type Transcript } from "./Model.ts"
import { stepSeconds } from "./Player.ts"
import { PlayerBar } from "./PlayerBar.tsx"
import { moveHit, Search } from "./Search.tsx"
import { Speakers } from "./Speakers.tsx"

const useKeys = (transcript: Transcript): void => {
  const { current, draft, player, segments } = transcript
  const go = (by: number): void => {
    const segment = segments.value[Math.max(0, current.value + by)]
    if (segment !== undefined) player.seek(segment.start)
  }
  const step = (by: number) => () => player.step(by)
  const repeat = (): void => player.playFrom(player.seconds.peek() - stepSeconds)
  const begin = (): void => draft.begin(segmentInView(transcript))
  const edits = [
    { keys: "e", does: "Correct what is being played, or the first block in view", run: begin },
    { keys: "Ctrl+Enter", does: "Save the correction", run: () => findEditor(transcript)?.save() },
    { keys: "Escape", does: "Cancel the correction", run: () => findEditor(transcript)?.close() }
  ]
  const moves = [
    { keys: "j", does: "Next segment", run: () => go(1) },
    { keys: "k", does: "Previous segment", run: () => go(-1) },
    { keys: "ArrowRight", does: `Forward ${stepSeconds} seconds`, run: step(stepSeconds) },
    { keys: "ArrowLeft", does: `Back ${stepSeconds} seconds`, run: step(-stepSeconds) },
    { keys: "n", does: "Next match", run: () => moveHit(transcript, 1) },
    { keys: "N", does: "Previous match", run: () => moveHit(transcript, -1) }
  ]
  useShortcuts([
    { keys: "Space", does: "Play or pause", run: player.toggle },
    { keys: "Ctrl+Space", does: "Play or pause, also while typing", run: player.toggle },
    { keys: "Ctrl+b", does: `Play the last ${stepSeconds} seconds again`, run: repeat },
    ...moves.map((move) => ({ ...move, repeats: true })),
    ...(can("transcriptions:write") ? edits : [])
  ])
}

const CopyButtons = ({ transcript }: { readonly transcript: Transcript }) => {
  const { blocks, id, player } = transcript
  const text = () => blocks.value.map((block) => `${block.speaker}: ${block.text}`).join("\n\n")
  const link = (): string => {
    const at = Math.floor(player.seconds.peek())
    return new URL(linkTo(`/jobs/${id}/transcript?t=${at}`), document.baseURI).href
  }
  return (
    <div class="cluster">
      <Button class="is-small" onClick={() => void copyText(text(), "Text copied.")}>
        Copy text
      </Button>
      <Button class="is-small" onClick={() => void copyText(link(), "Link copied.")}>
        Copy link to this moment
      </Button>
    </div>
  )
}

type Props = Readonly<{ job: JobDetails; transcript: Transcript }>
const Side = ({ job, transcript }: Props) => (
  <details class="transcript-side" open={matchMedia("(width >= 1080px)").matches}>
    <summary class="button">Speakers, corrections, downloads</summary>
    {job.summary === undefined ? null : (
      <Card title="Summary">
        <p class="summary-text breaks" dir="auto">
          {job.summary}
        </p>
      </Card>
    )}
    <Card title="Speakers">
      <Speakers transcript={transcript} />
    </Card>
    <Card title="Copy and download">
      <CopyButtons transcript={transcript} />
      <Downloads job={job} />
    </Card>
    <Card title="Corrections">
      <CorrectionVersions transcript={transcript} />
    </Card>
  </details>
)

const TranscriptView = ({ job, transcript }: Props) => {
  useKeys(transcript)
  return (
    <>
      <div class="transcript-top below stack-2">
        <PlayerBar transcript={transcript} />
        <Search transcript={transcript} />
      </div>
      <div class="transcript stack">
        <BlockList transcript={transcript} />
        <Side job={job} transcript={transcript} />
      </div>
    </>
  )
}

const linkToJob = (id: string) => ({ to: `/jobs/${id}`, word: "See the job" })
const Growing = ({ id, onDone }: { readonly id: string; readonly onDone: () => void }) => {
  const source = useSource(id, () => makeJobSource(id))
  const job = source.state.value.value?.job
  const isDone = job !== undefined && (job.output !== undefined || hasEnded(job))
  useEffect(() => {
    if (isDone) onDone()
  }, [isDone])
  return (
    <Loaded source={source} lines={6} height={88}>
      {({ job }) =>
        job.partial_output === undefined ? (
          <Empty icon="wave" title="No transcript" link={linkToJob(id)}>
            <p>The transcript is not ready yet. Its text appears here as it is recognised.</p>
          </Empty>
        ) : (
          <PartialResult partial={job.partial_output} />
        )
      }
    </Loaded>
  )
}

const Content = ({ job, transcript }: Props) => {
  if (transcript.segments.value.length > 0) {
    return <TranscriptView job={job} transcript={transcript} />
  }
  if (job.output === undefined && !hasEnded(job)) {
    return <Growing id={job.id} onDone={() => void transcript.source.reload()} />
  }
  const [title, why] =
    job.output === undefined
      ? ["No transcript", job.error ?? "The transcript is no longer kept."]
      : ["No speech", "No speech was recognised in the recording."]
  return (
    <Empty icon="wave" title={title} link={linkToJob(job.id)}>
      <p>{why}</p>
    </Empty>
  )
}

export const TranscriptScreen = ({ params }: { readonly params: Parameters }) => {
  const id = params.id ?? ""
  const transcript = useSource(id, () => makeTranscript(id))
  return (
    <>
      <Back to={`/jobs/${id}`} word="Job" />
      <Loaded source={transcript.source} lines={6} height={88} missing={jobNotFound}>
        {({ job }) => (
          <>
            <ScreenHead title={nameOf(job)} windowTitle={`${nameOf(job)}, transcript`} />
            <Content job={job} transcript={transcript} />
          </>
        )}
      </Loaded>
    </>
  )
}
