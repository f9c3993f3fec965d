/**
 * The delivery of a webhook: its machine, and the body that is kept for the next attempt.
 */
export { DeliveryId, Event, edges, isTerminal, State, transition } from "./Delivery.ts"
export { KeptBody } from "./KeptBody.ts"
