/** Why a provider, whoever it is, gave no usable answer. */
import { Schema } from "effect"

/** Why there is no usable answer. */
export class ProviderError extends Schema.TaggedError<ProviderError>()("ProviderError", {
  reason: Schema.TaggedUnion({
    /** It will not do this, now or later: the content is to blame. */
    Refused: { detail: Schema.String },
    /** It refuses whatever we send: our key, our model, our address, our account. */
    Barred: { detail: Schema.String },
    /** It cannot now, or could not be reached. */
    Unavailable: { detail: Schema.String },
    /** It answered, but with something else than was asked for. */
    Malformed: { detail: Schema.String }
  })
}) {}

/** The kinds of reason. */
export const { Barred, Malformed, Refused, Unavailable } = ProviderError.fields.reason.cases

/** The error with a reason. */
export const makeError = (reason: ProviderError["reason"]) => new ProviderError({ reason })
