/** Stores that lose responses: a call takes effect, but returns an error. */
import {
  OperatorKeyStore,
  PresetStore,
  PresetStoreError,
  WorkspaceStore,
  WorkspaceStoreError
} from "@verbatim/core/ports"
import { Context, Effect, Layer } from "effect"

/** Sets how many of a method's next responses to lose. */
export class Losses extends Context.Service<
  Losses,
  {
    readonly lose: (method: string, count?: number) => Effect.Effect<void>
    /** Returns how often a method was called. */
    readonly calls: (method: string) => Effect.Effect<number>
  }
>()("@verbatim/testkit/fakes/LosingAnswers/Losses") {}

type Method = (...given: ReadonlyArray<unknown>) => Effect.Effect<unknown, unknown>

/** Wraps a store, so that its responses can be lost. */
const makeLosing = <Port, Service extends object>(
  port: Context.Key<Port, Service>,
  lost: (operation: string) => unknown
): Layer.Layer<Losses | Port, never, Port> =>
  Layer.effectContext(
    Effect.map(Effect.context<Port>(), (context) => {
      const service: Service = Context.get(context, port)
      const remaining = new Map<string, number>()
      const calls = new Map<string, number>()
      const called =
        (name: string, method: Method): Method =>
        (...given) =>
          Effect.flatMap(method(...given), (answer) =>
            Effect.suspend(() => {
              calls.set(name, (calls.get(name) ?? 0) + 1)
              const left = remaining.get(name) ?? 0
              if (left === 0) return Effect.succeed(answer)
              remaining.set(name, left - 1)
              return Effect.fail(lost(name))
            })
          )
      const deaf = Object.fromEntries(
        Object.entries(service).map(([name, member]) => [
          name,
          typeof member === "function" ? called(name, member as Method) : member
        ])
      )
      return Context.empty().pipe(
        Context.add(port, deaf as Service),
        Context.add(Losses, {
          lose: (method, count = 1) =>
            Effect.sync(() => {
              remaining.set(method, count)
            }),
          calls: (method) => Effect.sync(() => calls.get(method) ?? 0)
        })
      )
    })
  )

/** A `PresetStore` that loses responses. */
export const losePresetAnswers: Layer.Layer<Losses | PresetStore, never, PresetStore> = makeLosing(
  PresetStore,
  (operation) => new PresetStoreError({ operation, reason: { _tag: "Unavailable", cause: "lost" } })
)

/** A `WorkspaceStore` that loses responses. */
export const loseWorkspaceAnswers: Layer.Layer<Losses | WorkspaceStore, never, WorkspaceStore> =
  makeLosing(WorkspaceStore, (operation) => new WorkspaceStoreError({ operation, cause: "lost" }))

/** An `OperatorKeyStore` that loses responses. */
export const loseOperatorKeyAnswers: Layer.Layer<
  Losses | OperatorKeyStore,
  never,
  OperatorKeyStore
> = makeLosing(
  OperatorKeyStore,
  (operation) => new WorkspaceStoreError({ operation, cause: "lost" })
)
