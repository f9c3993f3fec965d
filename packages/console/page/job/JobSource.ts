/**
 * Loads the job screen's data, and reloads it after each live event unless the event itself
 * contains the new text. Polls often only if no events arrive.
 */
import { effect } from "@preact/signals"
import { api } from "../Api.ts"
import { hasEnded, type Job } from "../jobs/JobTraits.ts"
import { coalesce, keepCurrent, subscribe } from "../Subscription.ts"
import { makeSource, type Source } from "../ui/Loaded.ts"
import { addPieces, isPiece, type LoadedJob, type PieceEvent, revisionOf } from "./JobHistory.ts"

interface ReadOptions {
  readonly current: () => LoadedJob | undefined
  /** Whether events with new text may have been missed. */
  readonly hasGap: boolean
  readonly signal: AbortSignal
}

/**
 * Reads a job. Because a transcript may be long, a finished job is not read again, and the text
 * recognised so far is read only once if events arrive.
 */
const readJob = async (
  id: string,
  { current, hasGap, signal }: ReadOptions
): Promise<LoadedJob> => {
  const before = current()
  const history = await api.transcriptions.history(id, { signal })
  const isSame = before !== undefined && revisionOf(before.history) === revisionOf(history)
  if (isSame && hasEnded(before.job)) return { ...before, history }
  const isTextKnown = before?.job.partial_output !== undefined && (isSame || !hasGap)
  const partial = isTextKnown ? "false" : "true"
  const job = await api.transcriptions.details(id, { partial, signal })
  // The newer text is kept, because events may have brought more text during the request.
  const text = job.output === undefined && isTextKnown ? current()?.job.partial_output : undefined
  return { history, job: text === undefined ? job : { ...job, partial_output: text } }
}

/** The events that the job screen already knows. */
interface Seen {
  /** The last revision read. */
  known: number
  newest: number
  /** Events about pieces since the last revision read. */
  pieces: ReadonlyArray<PieceEvent>
}

interface SubscribeOptions {
  readonly source: Source<LoadedJob>
  readonly seen: Seen
  readonly ended: AbortSignal
}

/** Applies live events to a job, and rereads the job after events that lack some changes. */
const subscribeToJob = (id: string, { ended, seen, source }: SubscribeOptions) => {
  const current = (): LoadedJob | undefined => source.state.peek().value
  const refresh: () => void = coalesce(
    () => {
      // Skips known events, which a new subscription sends again.
      if (seen.newest <= seen.known) return
      // Events can arrive faster than a long text can be read, so a running read is not
      // interrupted.
      if (source.state.peek().isLoading) refresh()
      else void source.reload()
    },
    { ended }
  )
  const showPieces = coalesce(
    () => {
      const now = current()
      if (now !== undefined) source.put(addPieces(now, seen.pieces))
    },
    { ended }
  )
  return subscribe({
    onEvent: (event) => {
      if (event.event === "reset") return void source.reload()
      if (event.data.id !== id) return
      const now = current()
      if (event.event === "progress" && now !== undefined) {
        source.put({ ...now, job: { ...now.job, progress: event.data.progress } })
      }
      if (event.event === "deleted") void source.reload()
      if (event.event !== "event") return
      if (isPiece(event.data) && event.data.revision > seen.known) {
        seen.pieces = [...seen.pieces, event.data]
        showPieces()
        if (now?.job.partial_output !== undefined) return
      }
      seen.newest = Math.max(seen.newest, event.data.revision)
      refresh()
    },
    ended
  })
}

/** Creates the source for a job. `end` stops the updates. */
export const makeJobSource = (id: string) => {
  const controller = new AbortController()
  const { signal: ended } = controller
  const seen: Seen = { known: 0, newest: 0, pieces: [] }
  let isListening = false
  /** Whether events may have been missed since the job was last read. */
  let hasGap = true
  const source = makeSource(async (signal): Promise<LoadedJob> => {
    const wasListening = isListening
    const read = await readJob(id, { current, hasGap, signal })
    if (wasListening && !signal.aborted) hasGap = false
    seen.known = revisionOf(read.history)
    seen.pieces = seen.pieces.filter(({ revision }) => revision > seen.known)
    return addPieces(read, seen.pieces)
  })
  const current = (): LoadedJob | undefined => source.state.peek().value
  const { isLive } = subscribeToJob(id, { source, seen, ended })
  const stop = effect(() => {
    isListening = isLive.value
    if (!isListening) hasGap = true
  })
  keepCurrent(source, { isLive, ended })
  return {
    ...source,
    isLive,
    /** Shows the job that an action returned, and then rereads the job. */
    follow: ({ output: _, ...job }: Job): void => {
      const now = current()
      if (now !== undefined) source.put({ ...now, job: { ...now.job, ...job } })
      void source.reload()
    },
    end: (): void => {
      controller.abort()
      stop()
      source.end()
    }
  }
}
