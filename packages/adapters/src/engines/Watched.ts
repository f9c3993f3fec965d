/** A transcriber that is watched while it works: how much of each recording is done. */
import { Transcriber } from "@verbatim/core/ports"
import { Effect, Layer } from "effect"

/** Whoever watches. The recording is the same object from the first word to the last. */
export interface Watcher {
  /** How much of a recording is done, from 0 to 1. */
  readonly note: (recording: object, fraction: number) => void
  /** It is counted no longer by its parts: it has ended, well or badly. */
  readonly forget: (recording: object) => void
}

/** The same transcriber, telling the watcher what it is told. */
export const layer = <R>(
  transcriber: Layer.Layer<Transcriber, never, R>,
  watcher: Watcher
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
              onProgress: (fraction) => Effect.sync(() => watcher.note(recognition, fraction))
            })
            .pipe(Effect.ensuring(Effect.sync(() => watcher.forget(recognition))))
      })
    )
  ).pipe(Layer.provide(transcriber))
