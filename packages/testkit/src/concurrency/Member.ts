/**
 * A process in a check, with its own stores. It receives tasks and returns records; a child process
 * does both by messages.
 */
import { Effect, type Layer } from "effect"
import { foundFirst } from "../samples/SampleWorkspace.ts"
import type { Recorded } from "./calls/CallRecord.ts"
import { close, type Ending } from "./FinalCalls.ts"
import { type Checked, play, type Round } from "./Play.ts"

/** A task that the check sends to a process. */
export type Task =
  | { readonly do: "found" }
  | { readonly do: "play"; readonly round: Round }
  | { readonly do: "close"; readonly ending: Ending }

/** A process in the check, which may be this process or a child process. */
export type Member = (task: Task) => Effect.Effect<ReadonlyArray<Recorded>, unknown>

/** Runs a task and returns its records. */
export const perform = (task: Task): Effect.Effect<ReadonlyArray<Recorded>, unknown, Checked> => {
  switch (task.do) {
    case "found":
      return Effect.as(foundFirst, [])
    case "play":
      return play(task.round)
    case "close":
      return close(task.ending)
  }
}

/** A child's reply: records, or the reason why there are none. */
export type Reply = { readonly records: ReadonlyArray<Recorded> } | { readonly failure: string }

/**
 * Runs a child process, which opens its stores, performs its parent's tasks and exits with its
 * parent. An adapter's program calls this function with the adapter's layer.
 */
export const serve = (layer: Layer.Layer<Checked, unknown>): Promise<never> =>
  Effect.runPromise(
    Effect.provide(
      Effect.flatMap(Effect.context<Checked>(), (context) =>
        Effect.callback<never>(() => {
          const run = Effect.runPromiseWith(context)
          process.on("message", (task: Task) => {
            run(perform(task)).then(
              (records) => process.send?.({ records }),
              (error: unknown) => process.send?.({ failure: String(error) })
            )
          })
          process.on("disconnect", () => process.exit())
          process.send?.({ records: [] })
        })
      ),
      layer
    )
  )
