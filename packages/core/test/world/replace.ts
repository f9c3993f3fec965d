/** Ports with some members replaced. */
import { type Context, Effect, Layer } from "effect"

/**
 * A port with some members replaced. Counters inside the replacements start again with each build.
 */
export const replace = <Port, Service extends object>(
  port: Context.Service<Port, Service>,
  change: (service: Service) => Partial<Service>
): Layer.Layer<Port, never, Port> =>
  Layer.effect(
    port,
    Effect.map(port, (service) => ({ ...service, ...change(service) }))
  )
