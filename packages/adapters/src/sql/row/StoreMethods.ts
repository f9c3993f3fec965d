/**
 * Builds a store from its methods. The store gives each method a span, and converts the method's
 * failures into the errors of the port.
 */
import { trace } from "@verbatim/core/ports"
import { type Context, Effect, Record } from "effect"

/** A method that can also fail with `Failure`, and that can be written as a generator. */
type Plain<Method, Failure> = Method extends (
  ...args: infer Args
) => Effect.Effect<infer A, infer E>
  ?
      | ((...args: Args) => Effect.Effect<A, E | Failure>)
      | ((...args: Args) => Generator<Effect.Effect<unknown, E | Failure>, A, never>)
  : Method extends Effect.Effect<infer A, infer E>
    ? Effect.Effect<A, E | Failure>
    : never

type Method<Failure> =
  | Effect.Effect<unknown, Failure>
  | ((...args: ReadonlyArray<unknown>) => Effect.Effect<unknown, Failure>)

/** Returns a function that builds a store of the given name from its methods. */
export const makeStore =
  <Port, Service extends object, Failure>(
    port: Context.Service<Port, Service>,
    name: string,
    toError: (operation: string, failure: Failure) => unknown
  ) =>
  (methods: { readonly [Name in keyof Service]: Plain<Service[Name], Failure> }): Service => {
    const build = (method: Method<Failure>, operation: string) => {
      const withError = Effect.mapError((failure: Failure) => toError(operation, failure))
      return Effect.isEffect(method)
        ? withError(method)
        : trace(`${name}.${operation}`)(method, withError)
    }
    return port.of(Record.map(methods as Record<string, Method<Failure>>, build) as Service)
  }
