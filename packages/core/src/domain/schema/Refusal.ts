/** Makes classes for refusals and failures: a tag, fields, and a sentence made from the fields. */
import { type Cause, Schema } from "effect"

/** Makes the class of a refusal, whose `message` is the sentence. */
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
    return Refusal as unknown as Schema.Class<
      Self,
      Schema.TaggedStruct<Tag, Fields>,
      Cause.YieldableError
    >
  }
