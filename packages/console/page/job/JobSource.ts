/**
 * Loads the data for the job screen, and loads it again after each live event, unless the event
 * itself contains the new text. Polls often only if no events arrive.
 */
import { effect } from "@preact/signals"
import { api } from "../Api.ts"
import { hasEnded, type Job } from "../jobs/JobTraits.ts"
import { coalesce, keepCurrent, subscribe } from "../Subscription.ts"
import { makeSource } from "../ui/Loaded.ts"
import { addPieces, isPiece, type LoadedJob, type PieceEvent, revisionOf } from "./JobHistory.ts"

interface ReadOptions {
  readonly current: () => LoadedJob | undefined
  /** Whether events about new text may have been missed. */
  readonly hasGap: boolean
  readonly signal: AbortSignal
}

/**
 * Reads a job. Because a transcript may be long, a job that has ended is not read again, and the
 * text recognised so far is read only once if events arrive.
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
  // Events may have brought more text during the request.
  const text = job.output === undefined && isTextKnown ? current()?.job.partial_output : undefined
  return { history, job: text === undefined ? job : { ...job, partial_output: text } }
}

/** Makes the source for a job; `end` stops it. */
export const makeJobSource = (id: string) => {
  const controller = new AbortController()
  const { signal: ended } = controller
  /** The revision that was last read. */
  let known = 0
  /** Events about pieces since that revision. */
  let pieces: ReadonlyArray<PieceEvent> = []
  let isListening = false
  /** Whether events may have been missed since the job was last read. */
  let hasGap = true
  const source = makeSource(async (signal): Promise<LoadedJob> => {
    const wasListening = isListening
    const read = await readJob(id, { current, hasGap, signal })
    if (wasListening && !signal.aborted) hasGap = false
    known = revisionOf(read.history)
    pieces = pieces.filter(({ revision }) => revision > known)
    return addPieces(read, pieces)
  })
  const current = (): LoadedJob | undefined => source.state.peek().value
  let newest = 0
  /** Reads the job again, unless all events are known: a new subscription repeats some. */
  const refresh: () => void = coalesce(
    () => {
      if (newest <= known) return
      // Events can arrive faster than a long text is read, so a running read is not interrupted.
      if (source.state.peek().isLoading) refresh()
      else void source.reload()
    },
    { ended }
  )
  const showPieces = coalesce(
    () => {
      const now = current()
      if (now !== undefined) source.put(addPieces(now, pieces))
    },
    { ended }
  )
  const { isLive } = subscribe({
    onEvent: (event) => {
      if (event.event === "reset") return void source.reload()
      if (event.data.id !== id) return
      const now = current()
      if (event.event === "progress" && now !== undefined) {
        source.put({ ...now, job: { ...now.job, progress: event.data.progress } })
      }
      if (event.event === "deleted") void source.reload()
      if (event.event !== "event") return
      if (isPiece(event.data) && event.data.revision > known) {
        pieces = [...pieces, event.data]
        showPieces()
        if (now?.job.partial_output !== undefined) return
      }
      newest = Math.max(newest, event.data.revision)
      refresh()
    },
    ended
  })
  const stop = effect(() => {
    isListening = isLive.value
    if (!isListening) hasGap = true
  })
  keepCurrent(source, { isLive, ended })
  return {
    ...source,
    isLive,
    /** Shows the job as an action returned it, and reads the job again. */
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
