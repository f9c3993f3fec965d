/**
 * What a caller sends to have something transcribed: parameters and perhaps a file, in their order
 * of arrival, so that a file is stored while it is still being sent.
 */
import type { Stream } from "effect"

/** One part of a request. */
export type ArrivingPart<E> =
  | { readonly _tag: "Parameter"; readonly name: string; readonly value: unknown }
  | {
      readonly _tag: "File"
      readonly name: string
      readonly filename: string
      /** What the part says of itself; left out where nothing is read of it. */
      readonly contentType?: string
      readonly content: Stream.Stream<Uint8Array, E>
    }

/** A request as it comes in. Each part is read to its end before the next one is asked for. */
export interface Arrival<E> {
  readonly parts: Stream.Stream<ArrivingPart<E>, E>
  /** Whether parameters come as texts (forms) or as JSON values. */
  readonly isTextual: boolean
  /** The same key with the same request, within a day, is answered with the same job. */
  readonly idempotencyKey?: string | undefined
  /**
   * Whether a request without a key joins the job of the same request by the same caller, within a
   * day: the same parameters, and a file of the same name with the same bytes.
   */
  readonly isJoining?: boolean
}
