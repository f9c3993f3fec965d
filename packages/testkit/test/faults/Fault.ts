/**
 * Faults planted into the memory adapter, each with the case that must find it.
 */
import { MemoryDatabase, stores } from "@verbatim/adapters/memory"
import type { Stores } from "@verbatim/core/ports"
import { Context, Effect, Layer } from "effect"
import type { Case } from "#src/contracts/Contract"

export type Tables = MemoryDatabase["Service"]

/** The memory adapter, with its tables within reach. */
export const sound = stores.pipe(Layer.provideMerge(MemoryDatabase.layer))

export interface Fault<Ports> {
  /** What is wrong, as a reader of the adapter would say it. */
  readonly fault: string
  /** The title of the case that finds it. */
  readonly foundBy: string
  readonly layer: Layer.Layer<Ports, unknown>
}

/** The memory adapter with some methods of one port replaced. */
export const replacing = <Port extends Stores, Service extends object>(
  port: Context.Key<Port, Service>,
  replaced: (service: Service, tables: Tables) => Partial<Service>
): Layer.Layer<Stores> =>
  Layer.effectContext(
    Effect.gen(function* () {
      const context = yield* Effect.context<Stores | MemoryDatabase>()
      const service: Service = Context.get(context, port as Context.Key<Stores, Service>)
      const tables = Context.get(context, MemoryDatabase)
      return Context.add(context, port, { ...service, ...replaced(service, tables) })
    })
  ).pipe(Layer.provide(sound))

/** A method that does something of its own before each call. */
export const doBefore =
  <Given, A, E>(method: (given: Given) => Effect.Effect<A, E>, act: (given: Given) => unknown) =>
  (given: Given): Effect.Effect<A, E> =>
    Effect.andThen(
      Effect.sync(() => act(given)),
      Effect.suspend(() => method(given))
    )

/** A method that does something of its own after each call that was refused. */
export const doAfterRefusal =
  <Given, A, E>(method: (given: Given) => Effect.Effect<A, E>, act: (given: Given) => unknown) =>
  (given: Given): Effect.Effect<A, E> =>
    Effect.tapError(method(given), () => Effect.sync(() => act(given)))

export const caseOf = <Ports>(cases: ReadonlyArray<Case<Ports>>, title: string): Case<Ports> => {
  const found = cases.find((each) => each.title === title)
  if (found === undefined) throw new Error(`no case is called "${title}"`)
  return found
}
