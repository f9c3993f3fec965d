/**
 * Creates the classes of refusals and failures, which have a tag, fields, and a sentence built from
 * the fields.
 */
import { type Cause, Schema } from "effect"

/** Creates the class of a refusal with the sentence as its `message`. */
export const refusal =
  <Self>() =>
  <Tag extends string, const Fields extends Schema.Struct.Fields = {}>(
    tag: Tag,
    {
      fields,
      sentence
    }: {
      readonly fields?: Fields
      readonly sentence: string | ((refusal: Schema.Struct.Type<Fields>) => string)
    }
  ) => {
    const Refusal = Schema.TaggedError<Error>()(tag, fields ?? {})
    Object.defineProperty(Refusal.prototype, "message", {
      get: function (this: Schema.Struct.Type<Fields>) {
        return typeof sentence === "string" ? sentence : sentence(this)
      }
    })
    // The reason for a store's failure contains the driver's error, for the log.
    if (fields !== undefined && "reason" in fields) {
      Object.defineProperty(Refusal.prototype, "cause", {
        get: function (this: { readonly reason: { readonly cause?: unknown } }) {
          return this.reason.cause
        }
      })
    }
    return Refusal as unknown as Schema.Class<
      Self,
      Schema.TaggedStruct<Tag, Fields>,
      Cause.YieldableError
    >
  }

/** A failure of a store: the operation that failed, and the reason. */
interface StoreFailure {
  readonly operation: string
  readonly reason: { readonly _tag: string }
}

/** Returns the message of a store's failure. */
export const describeStoreFailure = ({ operation, reason }: StoreFailure): string =>
  `${operation}: ${reason._tag}`

/** Describes why an adapter failed, for the log: the name of the reason, and its detail, if any. */
export const describeReason = ({
  reason
}: {
  readonly reason: { readonly _tag: string; readonly detail?: string }
}): string => (reason.detail === undefined ? reason._tag : `${reason._tag}: ${reason.detail}`)
