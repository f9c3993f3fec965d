/** Ports that do some things otherwise than the ones behind them. */
import { type Context, Effect, Layer } from "effect"

/** A port of which some members are replaced. What they count begins anew with each build. */
export const replace = <Port, Service extends object>(
  port: Context.Service<Port, Service>,
  change: (service: Service) => Partial<Service>
): Layer.Layer<Port, never, Port> =>
  Layer.effect(
    port,
    Effect.map(port, (service) => ({ ...service, ...change(service) }))
  )
