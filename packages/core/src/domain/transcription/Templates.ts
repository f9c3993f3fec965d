/** The operator's templates: named sets of parameters that requests can refer to. */
import { Context, Option, Result } from "effect"
import type { Networks } from "../outbound/Networks.ts"
import { checkUrl } from "../outbound/UrlPolicy.ts"
import { type Refusal, UrlUnreachable } from "./TranscriptionRefusal.ts"
import { decodeRequest, type Parameters, templated } from "./TranscriptionRequest.ts"

/**
 * The parameters of each template, as JSON values keyed by the template's name. A request's own
 * parameters take precedence.
 */
export const Templates: Context.Reference<ReadonlyMap<string, Parameters>> = Context.Reference(
  "@verbatim/core/domain/transcription/Templates",
  { defaultValue: (): ReadonlyMap<string, Parameters> => new Map() }
)

/** Applies the rules for requests to parameters of a template. */
const refusalOf = (template: Parameters): Option.Option<Refusal> =>
  Result.getFailure(
    decodeRequest({
      parameters: { template: "it" },
      upload: Option.some({ filename: "a.wav" }),
      isTextual: false,
      repeated: [],
      templates: new Map([["it", template]])
    })
  )

/**
 * Checks a template by the rules for requests before it is used. Problems are worded like the
 * refusal of a request. The webhook URL of a template can be in one of the `allowedNetworks`.
 */
export const problemsOf = (
  template: Parameters,
  allowedNetworks: Networks
): ReadonlyArray<{ readonly parameter: string; readonly detail: string }> => {
  const problems = Object.entries(template).flatMap(([parameter, value]) => {
    if (!templated.some((name) => name === parameter)) {
      return [{ parameter, detail: `Not one of ${templated.join(", ")}` }]
    }
    const refusal = refusalOf({ [parameter]: value })
    if (Option.isSome(refusal)) return [{ parameter, detail: refusal.value.message }]
    const isForbidden =
      parameter === "callback_url" &&
      typeof value === "string" &&
      value !== "" &&
      Result.isFailure(checkUrl({ url: value, allowedNetworks }))
    return isForbidden ? [{ parameter, detail: new UrlUnreachable().message }] : []
  })
  if (problems.length > 0) return problems
  // The whole template is also checked, because valid parameters can contradict each other.
  return Option.match(refusalOf(template), {
    onNone: () => [],
    onSome: (refusal) => [
      {
        parameter: refusal._tag === "InvalidParameter" ? refusal.parameter : "",
        detail: refusal.message
      }
    ]
  })
}
