/**
 * One webhook delivery. At most three requests are sent, all with the same bytes under the same
 * `webhook-id`. The parts of the body that would change over time are frozen when the first attempt
 * starts, together with the body's digest.
 *
 * ```mermaid
 * stateDiagram-v2
 *   [*] --> Waiting
 *   Waiting --> Sending: AttemptStarted
 *   Sending --> Delivered: ReceiverAccepted
 *   Sending --> Waiting: RetryScheduled
 *   Sending --> Waiting: AttemptPostponed
 *   Sending --> Failed: GivenUp
 * ```
 */
import { Schema, Struct } from "effect"
import * as Base64 from "effect/encoding/Base64"
import * as Attempt from "../attempt/Attempt.ts"
import { Failure } from "../attempt/Failure.ts"
import * as Machine from "../machine/Machine.ts"
import { Receiver } from "../transcription/TranscriptionRequest.ts"

const instant = Schema.DateTimeUtcFromMillis

/** The `webhook-id`, which all attempts of a delivery share. */
export const DeliveryId = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("DeliveryId"))
export type DeliveryId = typeof DeliveryId.Type

/** The values in a webhook body that would change over time. */
export const Frozen = Schema.Struct({
  /** The workspace's balance, in milliseconds of audio. */
  balanceMillis: Schema.Int,
  /** Hex SHA-256 of the body. Missing if an older release froze the body. */
  digest: Schema.optionalKey(Schema.String),
  /**
   * Length of the body in bytes. Missing if the body could not be built, or if an older release
   * froze the body.
   */
  byteLength: Schema.optionalKey(Schema.Int)
})
export type Frozen = typeof Frozen.Type

const identity = { id: DeliveryId, receiver: Receiver }
const attemptFields = { ...identity, attempt: Attempt.AttemptNumber }

/** The states of a delivery. */
export const State = Schema.TaggedUnion({
  /** `frozen` is null until the first attempt. */
  Waiting: { ...identity, frozen: Schema.NullOr(Frozen), ...Attempt.waitingFields },
  Sending: { ...identity, frozen: Frozen, ...Attempt.runningFields },
  /** `status` is the 2xx status of the receiver's response. */
  Delivered: { ...attemptFields, status: Schema.Int, endedAt: instant },
  Failed: { ...attemptFields, failure: Failure, endedAt: instant }
})
export type State = typeof State.Type

/** The events that change the state of a delivery. */
export const Event = Schema.TaggedUnion({
  /**
   * The event of the first attempt contains the frozen content; the events of all later attempts
   * repeat it.
   */
  AttemptStarted: { at: instant, frozen: Frozen },
  ReceiverAccepted: { at: instant, status: Schema.Int },
  ...Struct.pick(Attempt.events, ["AttemptPostponed", "RetryScheduled", "GivenUp"])
})
export type Event = typeof Event.Type

/** All legal edges; any other event is refused. */
export const edges = {
  Waiting: { AttemptStarted: "Sending" },
  Sending: {
    ReceiverAccepted: "Delivered",
    RetryScheduled: "Waiting",
    AttemptPostponed: "Waiting",
    GivenUp: "Failed"
  },
  Delivered: {},
  Failed: {}
} as const satisfies Machine.Edges<State, Event>

const { Delivered, Failed, Sending, Waiting } = State.cases

export const { isTerminal, transition } = Machine.make<State, Event, typeof edges>({
  name: "Delivery",
  edges,
  moves: {
    Waiting: {
      AttemptStarted: (state, event) =>
        Sending.make({
          id: state.id,
          receiver: state.receiver,
          frozen: frozenOf(state) ?? event.frozen,
          ...Attempt.begin(state, event.at)
        })
    },
    Sending: {
      ReceiverAccepted: ({ attempt, id, receiver }, { at, status }) =>
        Delivered.make({ id, receiver, attempt, status, endedAt: at }),
      ...Struct.pick(
        Attempt.movesBackTo(({ frozen, id, receiver }: typeof Sending.Type, waiting) =>
          Waiting.make({ id, receiver, frozen, ...waiting })
        ),
        ["RetryScheduled", "AttemptPostponed"]
      ),
      GivenUp: ({ attempt, id, receiver }, { at, failure }) =>
        Failed.make({ id, receiver, attempt, failure, endedAt: at })
    },
    Delivered: {},
    Failed: {}
  }
})

/**
 * Returns the frozen content of a delivery once one of its attempts may have been sent. If the
 * content has no digest, nothing was sent, and the next attempt freezes its own body.
 */
export function frozenOf(delivery: State | null): Frozen | undefined {
  switch (delivery?._tag) {
    case "Waiting": {
      const isUnbound = delivery.attempts === 0 && delivery.frozen?.digest === undefined
      return isUnbound ? undefined : (delivery.frozen ?? undefined)
    }
    case "Sending":
      return delivery.frozen
    default:
      return undefined
  }
}

// The body of a webhook's first request is stored while another request may follow, because a
// different release could render a different body.

/** The body of a delivery, exactly as the first request sent it. */
export const KeptBody = Schema.Struct({
  deliveryId: DeliveryId,
  contentType: Schema.String,
  body: Schema.String
})
export type KeptBody = typeof KeptBody.Type

// Webhooks are signed as in Standard Webhooks 1.0. During a rotation of secrets, there is one
// signature per secret, so that a receiver can verify with either.

/** The parts of a webhook that its signature covers. */
export interface Signed {
  readonly id: string
  /** The `webhook-timestamp`: whole seconds since 1970. */
  readonly timestamp: string
  readonly body: string
}

const encoder = new TextEncoder()

/**
 * Returns the bytes that the signature covers. Ids are UUIDs and contain no dot, so the parts are
 * always distinguishable.
 */
export const contentOf = ({ body, id, timestamp }: Signed): Uint8Array =>
  encoder.encode(`${id}.${timestamp}.${body}`)

/** Returns the value of `webhook-signature`: `v1,<base64>` for each tag, separated by spaces. */
export const headerOf = (tags: ReadonlyArray<Uint8Array>): string =>
  tags.map((tag) => `v1,${Base64.encode(tag)}`).join(" ")
