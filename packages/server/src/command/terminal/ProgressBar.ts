/**
 * Shows the progress of a long command on standard error. On a terminal, one line is redrawn;
 * elsewhere, plain lines are printed.
 */
import { Clock, Duration, Effect, type Scope } from "effect"

export interface Display {
  readonly isTerminal: boolean
  readonly columns: number
  readonly write: (text: string) => void
}

export interface Progress {
  /** The completed share, from 0 to 1, or undefined if it is unknown. */
  readonly fraction: number | undefined
  /** The text next to the bar, such as a name and numbers. */
  readonly label: string
}

/** A progress bar that can also show permanent lines. */
export interface ProgressBar {
  /** Writes a permanent line above the bar. */
  readonly say: (line: string) => Effect.Effect<void>
}

/**
 * The bar is redrawn at this interval: often enough to look alive, and rarely enough for a slow ssh
 * connection.
 */
const frameInterval = Duration.millis(200)

const barWidth = 24

/** Clears the line that the cursor is on. */
export const clear = "\r\u001b[2K"

/**
 * Formats one frame that is no wider than the terminal, because a wrapped line could not be
 * redrawn.
 */
export const frame = ({ fraction, label }: Progress, columns: number): string => {
  const known = Math.min(Math.max(fraction ?? 0, 0), 1)
  const filled = Math.floor(known * barWidth)
  const bar = `[${"=".repeat(filled)}${" ".repeat(barWidth - filled)}]`
  const percent = `${Math.floor(known * 100)}`.padStart(3)
  const line = fraction === undefined ? label : `${bar} ${percent} %  ${label}`
  return line.slice(0, Math.max(columns - 1, 0)).toWellFormed()
}

const errorOutput = (): Display => ({
  isTerminal: process.stderr.isTTY === true,
  columns: process.stderr.columns ?? 80,
  write: (text) =>
    process.stderr.write(text, (error) => {
      // After an error, the program that reads the output has exited. Without this listener, the
      // next error event would crash this process.
      if (error) process.stderr.once("error", () => undefined)
    })
})

/** Draws a bar until the scope closes, and then erases it. */
export const make = (
  look: Effect.Effect<Progress>,
  display: Display = errorOutput()
): Effect.Effect<ProgressBar, never, Scope.Scope> =>
  Effect.gen(function* () {
    const write = (text: string) => Effect.sync(() => display.write(text))
    if (!display.isTerminal) return { say: (line) => write(`${line}\n`) }
    const draw = Effect.flatMap(look, (progress) =>
      write(`${clear}${frame(progress, display.columns)}`)
    )
    yield* Effect.addFinalizer(() => write(clear))
    yield* draw.pipe(Effect.andThen(Effect.sleep(frameInterval)), Effect.forever, Effect.forkScoped)
    return { say: (line) => write(`${clear}${line}\n`) }
  })

/** Shows that a step of unknown length is running, and for how many seconds. */
export const showWait =
  (label: string, display?: Display) =>
  <A, E, R>(step: Effect.Effect<A, E, R>): Effect.Effect<A, E, Exclude<R, Scope.Scope>> =>
    Effect.gen(function* () {
      const begunAt = yield* Clock.currentTimeMillis
      const look = Effect.map(Clock.currentTimeMillis, (now) => ({
        fraction: undefined,
        label: `${label}: ${Math.floor((now - begunAt) / 1_000)} s`
      }))
      yield* make(look, display)
      return yield* step
    }).pipe(Effect.scoped)
