/** Plants faults in the in-memory adapter. Each names the case that must find it. */
import { MemoryDatabase, stores } from "@verbatim/adapters/memory"
import type { Stores } from "@verbatim/core/ports"
import { type Context, Effect, Layer, Record } from "effect"
import type { Case } from "#src/contracts/Contract"

export type Tables = MemoryDatabase["Service"]

/** The in-memory adapter without a fault, with tables that a test can access. */
export const sound = stores.pipe(Layer.provideMerge(MemoryDatabase.layer))

export interface Fault<Ports> {
  /** Title of the case that finds the fault. */
  readonly foundBy: string
  readonly layer: Layer.Layer<Ports, unknown>
}

/** Lists faulty adapters, keyed by the titles of the cases that find them. */
export const listFaults = <Ports>(
  adapters: Readonly<Record<string, Fault<Ports>["layer"]>>
): ReadonlyArray<Fault<Ports>> =>
  Object.entries(adapters).map(([foundBy, layer]) => ({ foundBy, layer }))

/** Replaces some of a port's methods. */
export type Replacement<Service> = (service: Service, tables: Tables) => Partial<Service>

/** Creates an in-memory adapter with replaced methods of one port. */
export const replacing = <Port extends Stores, Service extends object>(
  port: Context.Key<Port, Service>,
  replaced: Replacement<Service>
): Layer.Layer<Stores> => {
  const key = port as Context.Key<Stores, Service>
  const faulty = Effect.gen(function* () {
    const service = yield* key
    return { ...service, ...replaced(service, yield* MemoryDatabase) }
  })
  return Layer.effect(key, faulty).pipe(Layer.provideMerge(sound))
}

/** Creates in-memory adapters. Each violates the port's contract in one way. */
export const replaceEach = <Port extends Stores, Service extends object>(
  port: Context.Key<Port, Service>,
  faults: Readonly<Record<string, Replacement<Service>>>
): Readonly<Record<string, Layer.Layer<Stores>>> =>
  Record.map(faults, (replaced) => replacing(port, replaced))

/** Lists in-memory adapters. Each violates the port's contract in one way. */
export const plantFaults = <Port extends Stores, Service extends object>(
  port: Context.Key<Port, Service>,
  faults: Readonly<Record<string, Replacement<Service>>>
): ReadonlyArray<Fault<Stores>> => listFaults(replaceEach(port, faults))

/** Changes a table's rows directly. */
export const rewriteRows = <Key, Row>(
  rows: Map<Key, Row>,
  change: (row: Row) => Partial<Row>
): Effect.Effect<void> =>
  Effect.sync(() => {
    for (const [key, row] of [...rows]) rows.set(key, { ...row, ...change(row) })
  })

/** Creates a method that runs an effect before each call. */
export const doBefore =
  <Given, A, E>(method: (given: Given) => Effect.Effect<A, E>, act: (given: Given) => unknown) =>
  (given: Given): Effect.Effect<A, E> =>
    Effect.andThen(
      Effect.sync(() => act(given)),
      Effect.suspend(() => method(given))
    )

export const caseOf = <Ports>(cases: ReadonlyArray<Case<Ports>>, title: string): Case<Ports> => {
  const found = cases.find((each) => each.title === title)
  if (found === undefined) throw new Error(`no case is called "${title}"`)
  return found
}
