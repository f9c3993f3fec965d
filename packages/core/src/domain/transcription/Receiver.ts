/**
 * Where a webhook goes and in which shape.
 */
import { Schema } from "effect"
import { Modifier } from "./Modifier.ts"

/** The receiver of a delivery. */
export const Receiver = Schema.Struct({
  url: Schema.String,
  /** Null sends the status JSON. */
  modifier: Schema.NullOr(Modifier)
})
export type Receiver = typeof Receiver.Type
