/**
 * The delivery of a webhook: its state machine, and the body kept for the next attempt.
 */
export { DeliveryId, Event, edges, isTerminal, KeptBody, State, transition } from "./Delivery.ts"
