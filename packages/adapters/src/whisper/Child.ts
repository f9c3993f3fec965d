/**
 * The child process: runs a task, reports progress and outcome, and keeps the model loaded while it
 * waits for the next task. The process ends when the server disconnects.
 */

import {
  type Answer,
  type Span,
  type SpokenSegment,
  sampleRate,
  type Task,
  type TaskAnswer
} from "./Protocol.ts"
import { toSegments } from "./ResultSegments.ts"
import type { OfflineRecognizer, RecognitionResult } from "./Sherpa.ts"
import { type Audio, detectSpeech, diarize, load, open } from "./SherpaModels.ts"
import { cutPieces } from "./SpeechPieces.ts"

/** Approximate shares of the whole work. */
const vadShare = 0.05
const diarizationShare = 0.25

/**
 * Sends a message. Resolves when the server has received it, because an exit would lose messages
 * that are still being sent.
 */
const send = (answer: Answer): Promise<void> =>
  new Promise((resolve) => {
    // The callback runs in a later turn of the event loop, even if the server is gone; this is how
    // the child notices the server's end.
    const next = () => setImmediate(resolve)
    if (process.send === undefined || !process.connected) next()
    else process.send(answer, undefined, undefined, next)
  })

const answer = ({ number }: Task, answer: TaskAnswer): Promise<void> =>
  send({ _tag: "Answered", number, answer })

/** Returns a function that reports a part's progress as a fraction of the whole. */
const reporter = (task: Task, from: number, share: number) => (fraction: number) =>
  answer(task, { _tag: "Progress", fraction: Math.min(from + share * fraction, 1) })

const decode = async (
  recogniser: OfflineRecognizer,
  samples: Float32Array
): Promise<RecognitionResult> => {
  const stream = recogniser.createStream()
  stream.acceptWaveform({ samples, sampleRate })
  return await recogniser.decodeAsync(stream)
}

/** The result of one piece. The language is empty if the model does not report it. */
interface PieceResult {
  readonly piece: Span
  readonly language: string
  readonly spoken: ReadonlyArray<SpokenSegment>
}

/** Returns the language of most of the speech, by the model's name for it. */
const mostSpokenLanguage = (results: ReadonlyArray<PieceResult>): string | null => {
  const samples = new Map<string, number>()
  for (const { language, piece, spoken } of results) {
    if (language === "" || spoken.length === 0) continue
    samples.set(language, (samples.get(language) ?? 0) + piece.end - piece.start)
  }
  const [most] = [...samples].sort(([, a], [, b]) => b - a)
  return most?.[0] ?? null
}

/** Recognises each piece. */
const recognise = async (
  task: Task,
  options: {
    readonly audio: Audio
    readonly cut: ReadonlyArray<Span>
    readonly onProgress: (fraction: number) => Promise<void>
  }
): Promise<{ readonly language: string | null; readonly spoken: ReadonlyArray<SpokenSegment> }> => {
  const { audio, cut, onProgress } = options
  const recogniser = await load(task)
  const results: Array<PieceResult> = []
  for (const [index, piece] of cut.entries()) {
    const result = await decode(recogniser, audio.read(piece))
    results.push({ piece, language: result.lang, spoken: toSegments(result, piece) })
    await onProgress((index + 1) / cut.length)
  }
  const language = task.language ?? mostSpokenLanguage(results)
  return { language, spoken: results.flatMap(({ spoken }) => spoken) }
}

const work = async (task: Task): Promise<TaskAnswer> => {
  const audio = open(task.audioPath)
  const { sampleCount, threads } = task
  const speech =
    task.vadModel === null
      ? [{ start: 0, end: sampleCount }]
      : await detectSpeech(task.vadModel, {
          audio,
          sampleCount,
          onProgress: reporter(task, 0, vadShare)
        })
  const cut = cutPieces({ sampleCount, speech, isVadFiltered: task.isVadFiltered })
  const isSilent = cut.length === 0
  const after = task.diarization === null || isSilent ? 0 : diarizationShare
  const { language, spoken } = isSilent
    ? { language: task.language, spoken: [] }
    : await recognise(task, {
        audio,
        cut,
        onProgress: reporter(task, vadShare, 1 - vadShare - after)
      })
  const turns =
    task.diarization === null || spoken.length === 0
      ? null
      : await diarize(task.diarization, {
          audio,
          sampleCount,
          threads,
          onProgress: reporter(task, 1 - after, after)
        })
  audio.close()
  return { _tag: "Done", language, spoken, turns }
}

const failure = (cause: unknown): TaskAnswer => ({
  _tag: "Failed",
  detail: cause instanceof Error ? cause.message : String(cause)
})

// The process kills itself, because a normal exit would wait minutes for other threads.
process.once("disconnect", () => process.kill(process.pid, "SIGKILL"))
process.on("message", (task: Task) => {
  work(task)
    .catch(failure)
    .then((outcome) => answer(task, outcome))
})
await send({ _tag: "Started" })
