/**
 * A transcription request as it arrives: its parameters and possibly a file, in the order in which
 * they are sent. The file is stored while it is still arriving.
 */
import type { Stream } from "effect"

/** One part of an arriving request: a parameter or a file. */
export type IncomingPart<E> =
  | { readonly _tag: "Parameter"; readonly name: string; readonly value: unknown }
  | {
      readonly _tag: "File"
      readonly name: string
      readonly filename: string
      /** The content type declared by the part; missing if it is not needed. */
      readonly contentType?: string
      readonly content: Stream.Stream<Uint8Array, E>
    }

/** A request as it arrives. Each part is read to its end before the next one is requested. */
export interface IncomingRequest<E> {
  readonly parts: Stream.Stream<IncomingPart<E>, E>
  /** Whether parameters arrive as text, as in forms, rather than as JSON values. */
  readonly isTextual: boolean
  /** The idempotency key. The same request with the same key returns the same job for a day. */
  readonly idempotencyKey?: string | undefined
  /**
   * Whether a request without a key joins the job of an identical request that the same caller sent
   * within a day. Identical requests have the same parameters, and files with the same name and
   * bytes.
   */
  readonly isJoining?: boolean
}
