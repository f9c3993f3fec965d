/** The delivery of a webhook: its state machine, and the body stored for the next attempt. */
export { DeliveryId, Event, edges, isTerminal, KeptBody, State, transition } from "./Delivery.ts"
