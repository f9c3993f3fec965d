/**
 * Loads the job screen's data, and reloads it after each live event unless the event itself
 * contains the new text. Polls often only if no events arrive.
 */
import { effect } from "@preact/signals"
import type { LiveEvent } from "@verbatim/client"
import { api } from "../Api.ts"
import { hasEnded, type Job } from "../jobs/JobTraits.ts"
import { coalesce, keepCurrent, subscribe } from "../Subscription.ts"
import { makeSource } from "../ui/Loaded.ts"
import { addPieces, isPiece, type LoadedJob, type PieceEvent, revisionOf } from "./JobHistory.ts"

/** Creates the source for a job. `end` stops the updates. */
export const makeJobSource = (id: string) => {
  const controller = new AbortController()
  const { signal: ended } = controller
  /** The last revision read, and the newest revision whose event lacks some of the changes. */
  const seen = { known: 0, newest: 0 }
  /** Whether events may have been missed since the job was last read. */
  let hasGap = true
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
  /** Events with new text that is not shown yet. */
  let pieces: ReadonlyArray<PieceEvent> = []
  const showPieces = (): void => {
    const now = current()
    if (now !== undefined && pieces.length > 0) source.put(addPieces(now, pieces))
    pieces = []
  }
  const showPiecesSoon = coalesce(showPieces, { ended })
  const onEvent = (event: LiveEvent): void => {
    if (event.event === "reset") return void source.reload()
    if (event.data.id !== id) return
    const now = current()
    if (event.event === "progress" && now !== undefined) {
      source.put({ ...now, job: { ...now.job, progress: event.data.progress } })
    }
    if (event.event === "deleted") void source.reload()
    if (event.event !== "event") return
    if (now?.job.partial_output !== undefined && isPiece(event.data)) {
      pieces = [...pieces, event.data]
      showPiecesSoon()
    } else {
      seen.newest = Math.max(seen.newest, event.data.revision)
      refresh()
    }
  }
  const { isLive } = subscribe({ onEvent, ended })
  /**
   * Reads the job. Because a transcript may be long, a finished job is not read again, and the text
   * recognised so far is read only once if events arrive.
   */
  const read = async (signal: AbortSignal): Promise<LoadedJob> => {
    const [before, wasLive] = [current(), isLive.peek()]
    const history = await api.transcriptions.history(id, { signal })
    const isSame = before !== undefined && revisionOf(before.history) === revisionOf(history)
    if (isSame && hasEnded(before.job)) return { ...before, history }
    const isTextKnown = before?.job.partial_output !== undefined && (isSame || !hasGap)
    const partial = isTextKnown ? "false" : "true"
    const job = await api.transcriptions.details(id, { partial, signal })
    if (wasLive && !signal.aborted) hasGap = false
    seen.known = revisionOf(history)
    // Events may have brought more text during the request.
    showPieces()
    const now = current()
    const text = job.output === undefined && isTextKnown ? now?.job.partial_output : undefined
    return addPieces(
      { history, job: text === undefined ? job : { ...job, partial_output: text } },
      now?.history.events.filter(isPiece) ?? []
    )
  }
  const source = makeSource(read)
  const stop = effect(() => {
    if (!isLive.value) hasGap = true
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
