/**
 * A transcription request as it arrives: its parameters and perhaps a file, in the order sent, so
 * that the file is stored while it is still being sent.
 */
import type { Stream } from "effect"

/** One part of a request. */
export type IncomingPart<E> =
  | { readonly _tag: "Parameter"; readonly name: string; readonly value: unknown }
  | {
      readonly _tag: "File"
      readonly name: string
      readonly filename: string
      /** The content type declared by the part; left out if it is never read. */
      readonly contentType?: string
      readonly content: Stream.Stream<Uint8Array, E>
    }

/** A request as it arrives. Each part is read to its end before the next one is requested. */
export interface IncomingRequest<E> {
  readonly parts: Stream.Stream<IncomingPart<E>, E>
  /** Whether parameters are texts (forms) or JSON values. */
  readonly isTextual: boolean
  /**
   * The idempotency key: the same key with the same request, within a day, returns the same job.
   */
  readonly idempotencyKey?: string | undefined
  /**
   * Whether a request without a key joins the job of an identical request by the same caller,
   * within a day. Identical means the same parameters, and a file with the same name and the same
   * bytes.
   */
  readonly isJoining?: boolean
}
