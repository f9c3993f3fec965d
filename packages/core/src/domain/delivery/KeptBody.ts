/**
 * The body of a webhook's first request. It is kept while another request may follow, because
 * another version of the program could make it differently.
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
