/** Loads a job, and reloads it after live events unless an event contains the new text. */
import { effect } from "@preact/signals"
import type { LiveEvent } from "@verbatim/client"
import { api } from "../Api.ts"
import { hasEnded } from "../jobs/JobTraits.ts"
import { coalesce, keepCurrent, subscribe } from "../Subscription.ts"
import { makeSource } from "../ui/Loaded.tsx"
import { addPieces, isPiece, type LoadedJob, type PieceEvent, revisionOf } from "./JobHistory.ts"

export const makeJobSource = (id: string) => {
  /** The last revision read, and the newest revision whose event lacks some of the changes. */
  const seen = { known: 0, newest: 0 }
  /** Whether events may have been missed since the job was last read. */
  let hasGap = true
  const source = makeSource<LoadedJob>((signal) => read(signal))
  const { ended } = source
  const current = () => source.state.peek().value
  const refresh: () => void = coalesce({ ended }, () => {
    // Skips known events, which a new subscription sends again.
    if (seen.newest <= seen.known) return
    // Events can arrive faster than text can be read, so a running read continues.
    if (source.state.peek().isLoading) refresh()
    else void source.reload()
  })
  let pieces: ReadonlyArray<PieceEvent> = []
  const showPieces = (): void => {
    const now = current()
    if (now !== undefined && pieces.length > 0) source.put(addPieces(now, pieces))
    pieces = []
  }
  const showPiecesSoon = coalesce({ ended }, showPieces)
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
   * A transcript may be long, so a finished job and known text are not read again. While events
   * arrive, a job changes only with its history.
   */
  const read = async (signal: AbortSignal): Promise<LoadedJob> => {
    const [before, wasLive] = [current(), isLive.peek()]
    const history = await api.transcriptions.history(id, { signal })
    const isSame = before !== undefined && revisionOf(before.history) === revisionOf(history)
    if (isSame && (wasLive || hasEnded(before.job))) return { ...before, history }
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
  const stop = effect(() => {
    if (!isLive.value) hasGap = true
  })
  keepCurrent(source, { isLive, ended })
  return {
    ...source,
    isLive,
    end: (): void => {
      stop()
      source.end()
    }
  }
}
