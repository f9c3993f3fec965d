/**
 * The operator's templates: named sets of parameters that a request can ask for.
 */
import { Context, Option, Result } from "effect"
import type { Networks } from "../outbound/Networks.ts"
import { judgeUrl } from "../outbound/UrlPolicy.ts"
import { UrlUnreachable } from "./TranscriptionRefusal.ts"
import { decodeRequest, type Parameters, templated } from "./TranscriptionRequest.ts"

/** Template name → parameters with JSON values. The request's own parameters win. */
export const Templates: Context.Reference<ReadonlyMap<string, Parameters>> = Context.Reference(
  "@verbatim/core/domain/transcription/Templates",
  { defaultValue: (): ReadonlyMap<string, Parameters> => new Map() }
)

/** What is wrong with a template, in the words that callers would read. */
export interface TemplateProblem {
  readonly parameter: string
  readonly detail: string
}

/** The rules of a request, for one parameter that comes from a template. */
const refusalOf = (parameter: string, value: unknown): Option.Option<string> => {
  const judged = decodeRequest({
    parameters: { template: "it" },
    upload: Option.some({ filename: "a.wav" }),
    isTextual: false,
    repeated: [],
    templates: new Map([["it", { [parameter]: value }]])
  })
  return Option.map(Result.getFailure(judged), ({ message }) => message)
}

/**
 * Judges a template before anybody asks for it, by the rules of a request. `allowNetworks` are
 * those that webhooks may reach.
 */
export const problemsOf = (
  template: Parameters,
  allowNetworks: Networks
): ReadonlyArray<TemplateProblem> =>
  Object.entries(template).flatMap(([parameter, value]) => {
    if (!templated.some((name) => name === parameter)) {
      return [{ parameter, detail: `Not one of ${templated.join(", ")}` }]
    }
    const refusal = refusalOf(parameter, value)
    if (Option.isSome(refusal)) return [{ parameter, detail: refusal.value }]
    const isForbidden =
      parameter === "callback_url" &&
      typeof value === "string" &&
      value !== "" &&
      Result.isFailure(judgeUrl({ url: value, allowNetworks }))
    return isForbidden ? [{ parameter, detail: new UrlUnreachable().message }] : []
  })
