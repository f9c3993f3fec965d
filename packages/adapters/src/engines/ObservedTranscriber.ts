/** Wraps a transcriber to report its progress on each recording. */
import { Transcriber } from "@verbatim/core/ports"
import { Effect, Layer } from "effect"

/** Receives progress. Each recording is identified by the same object in all calls. */
export interface ProgressObserver {
  /** Called with the completed fraction of a recording, from 0 to 1. */
  readonly note: (recording: object, fraction: number) => void
  /** Called when a recording has ended, successfully or not. */
  readonly forget: (recording: object) => void
}

/** Makes a copy of the transcriber that reports its progress to the observer. */
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
