/**
 * Where a webhook goes and in which shape.
 */
import { Schema } from "effect"
import { Modifier } from "../rendering/Modifier.ts"

/** The receiver of a delivery. */
export const Receiver = Schema.Struct({
  url: Schema.String,
  /** Null sends the status JSON. */
  modifier: Schema.NullOr(Modifier)
})
export type Receiver = typeof Receiver.Type

/**
 * The lane of its deliveries: scheme, host and port, lower case. Webhooks to one origin share a
 * limit, so that a slow receiver holds back nobody but itself. The URL has been judged before.
 */
export const laneOf = ({ url }: Receiver): string =>
  (/^https?:\/\/[^/?#]*/i.exec(url)?.[0] ?? url).toLowerCase()
