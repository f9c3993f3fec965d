/**
 * One process of a check, over stores of its own: it is told what to do and answers with what it
 * recorded. In a child process both are messages.
 */
import { Effect, type Layer } from "effect"
import { foundFirst } from "../samples/SampleWorkspace.ts"
import { close, type Ending } from "./FinalCalls.ts"
import { type Checked, play, type Round } from "./Play.ts"
import type { Recorded } from "./questions/Question.ts"

/** What a process is told. */
export type Task =
  | { readonly do: "found" }
  | { readonly do: "play"; readonly round: Round }
  | { readonly do: "close"; readonly ending: Ending }

/** A process, wherever it is. */
export type Member = (task: Task) => Effect.Effect<ReadonlyArray<Recorded>, unknown>

/** Does what a process is told. */
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

/** What a child answers: records, or why there are none. */
export type Reply = { readonly records: ReadonlyArray<Recorded> } | { readonly failure: string }

/**
 * The whole program of a child process: opens its stores, performs what its parent asks, and ends
 * with its parent. An adapter's own child is this call with the adapter's layer.
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
