/** A transcriber that is watched while it works: how much of each recording is done. */
import { Transcriber } from "@verbatim/core/ports"
import { Effect, Layer } from "effect"

/** The watcher. It gets the same object for a recording from the first call to the last. */
export interface ProgressObserver {
  /** How much of a recording is done, from 0 to 1. */
  readonly note: (recording: object, fraction: number) => void
  /** It is no longer counted by its parts: it has ended, well or badly. */
  readonly forget: (recording: object) => void
}

/** The same transcriber, which passes its progress on to the watcher. */
export const layer = <R>(
  transcriber: Layer.Layer<Transcriber, never, R>,
  observer: ProgressObserver
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
              onProgress: (fraction) => Effect.sync(() => observer.note(recognition, fraction))
            })
            .pipe(Effect.ensuring(Effect.sync(() => observer.forget(recognition))))
      })
    )
  ).pipe(Layer.provide(transcriber))
