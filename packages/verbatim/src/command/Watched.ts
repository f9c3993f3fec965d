/**
 * A transcriber that is watched while it works: how much of everything is done.
 */
import { Transcriber } from "@verbatim/core/ports/Transcriber"
import { Effect, Layer } from "effect"

/** How far several recordings are. */
export class Tally {
  private readonly running = new Map<object, number>()
  private done = 0
  private readonly total: number

  constructor(total: number) {
    this.total = total
  }

  /** Recordings that have ended, well or badly. */
  get ended(): number {
    return this.done
  }

  /** One more recording has ended. */
  end(): void {
    this.done += 1
  }

  /** Of everything, from 0 to 1; none before an engine has said something. */
  get fraction(): number | undefined {
    if (this.running.size === 0 && this.done === 0) return undefined
    const partly = Array.from(this.running.values()).reduce((sum, each) => sum + each, 0)
    return (this.done + partly) / this.total
  }

  /** How much of one is done. */
  note(recording: object, fraction: number): void {
    this.running.set(recording, fraction)
  }

  /** It is counted no longer by its parts. */
  forget(recording: object): void {
    this.running.delete(recording)
  }
}

/** The same transcriber, telling the tally what it is told. */
export const watched = <R>(
  transcriber: Layer.Layer<Transcriber, never, R>,
  tally: Tally
): Layer.Layer<Transcriber, never, R> =>
  Layer.effect(
    Transcriber,
    Effect.map(Transcriber, (inner) =>
      Transcriber.of({
        readiness: inner.readiness,
        transcribe: (recognition) =>
          inner
            .transcribe({
              ...recognition,
              onProgress: (fraction) => Effect.sync(() => tally.note(recognition, fraction))
            })
            .pipe(Effect.ensuring(Effect.sync(() => tally.forget(recognition))))
      })
    )
  ).pipe(Layer.provide(transcriber))
