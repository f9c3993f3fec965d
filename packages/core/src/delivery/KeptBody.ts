/**
 * What the first request of a webhook said, kept when another one may follow: made again by another
 * version of the program it could differ.
 */
import { Schema } from "effect"
import { DeliveryId } from "./Delivery.ts"

/** The body of one delivery, as it was sent. */
export const KeptBody = Schema.Struct({
  deliveryId: DeliveryId,
  contentType: Schema.String,
  body: Schema.String
})
export type KeptBody = typeof KeptBody.Type
