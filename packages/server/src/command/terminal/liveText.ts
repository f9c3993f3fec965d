/** Waits for a job, and shows its text while it is recognised. The final transcript can differ. */
import { clock } from "@verbatim/core/rendering"
import { Duration, Effect, Fiber, Stream } from "effect"
import { call, callEach } from "../ApiCalls.ts"
import { makeSwitch } from "../flags.ts"
import { printable } from "../operation.ts"

/** The flag that shows text while a command waits for a transcript. */
export const liveFlag = makeSwitch(
  "live",
  "Print provisional text to standard error during recognition"
)

/** Formats segments as lines with their timestamps. */
export const toLines = (
  segments: ReadonlyArray<{ readonly start: string; readonly text: string }>
): ReadonlyArray<string> =>
  segments.map(
    ({ start, text }) => `${clock(Math.round(Number(start) * 1_000))}  ${printable(text.trim())}`
  )

/** Shows a line to the waiting user. */
export type ShowLine = (line: string) => Effect.Effect<void>

/** Shows a job's text until the transcript is ready. */
const showText = (id: string, show: ShowLine) =>
  callEach(({ transcriptions }) => transcriptions.text(id)).pipe(
    Stream.filter(({ partial }) => partial),
    Stream.runForEach(({ segments }) =>
      Effect.forEach(toLines(segments), (line) => show(line), { discard: true })
    ),
    Effect.catch(({ message }) => show(message))
  )

/** Maximum wait for the last events of a job, which arrive up to a second after they occur. */
const lateMax = Duration.seconds(3)

/** Waits for a job to end. If a function is given, shows the job's text with it. */
export const waitForJob = Effect.fnUntraced(function* (id: string, show: ShowLine | undefined) {
  const showing = yield* Effect.forkScoped(show === undefined ? Effect.void : showText(id, show))
  const job = yield* call(({ transcriptions }) => transcriptions.wait(id))
  yield* Effect.timeoutOption(Fiber.join(showing), lateMax)
  return job
}, Effect.scoped)
