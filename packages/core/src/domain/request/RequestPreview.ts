/**
 * What a preset would keep of a request, field by field and with reasons, before anything is
 * stored.
 */
import { resolve, variablesOf } from "@verbatim/resolution"
import { Result } from "effect"
import { InvalidRequest } from "../schema/Problem.ts"
import type { Fate } from "./FieldTable.ts"
import {
  becauseSecret,
  isSilent,
  type Kept,
  type RequestBody,
  type RequestFormat,
  type SentRequest,
  sort,
  validate
} from "./RequestFormat.ts"

/** What becomes of a field that was sent, and why. */
interface PreviewedField {
  readonly name: string
  readonly fate: Fate
  readonly reason: string
}

/** What a request would become. */
export interface RequestPreview extends Pick<Kept, "systemPrompt" | "config"> {
  /** Every field that was sent, in the order sent; then parts with another fate than theirs. */
  readonly fields: ReadonlyArray<PreviewedField>
  /** The variables of the system prompt, in their order. */
  readonly variables: ReadonlyArray<string>
  /** The system prompt with the values that were sent; absent when none were. */
  readonly filledPrompt?: string
}

const previewOf = (format: RequestFormat, body: RequestBody): ReadonlyArray<PreviewedField> =>
  Object.entries(body).map(([name, value]) => {
    const field = Object.hasOwn(format.fields, name) ? format.fields[name] : undefined
    if (field === undefined) return { name, fate: "ignored", reason: "is not known" }
    const { fate, reason } = field
    // The table speaks of the field; this body may say nothing in it.
    if (fate !== "ignored" && value === null) return { name, fate: "ignored", reason: "is null" }
    if (fate === "systemPrompt" && isSilent(format, { name, body })) {
      return { name, fate: "ignored", reason: "holds no system prompt" }
    }
    return { name, fate, reason }
  })

/** Parts of a field that are not kept with it, or are kept beside the system prompt. */
const partsOf = ({ config, notKept }: Kept): ReadonlyArray<PreviewedField> => [
  ...notKept
    .filter((path) => path.includes("."))
    .map((name): PreviewedField => ({ name, fate: "ignored", reason: becauseSecret })),
  ...(Array.isArray(config.system) ? config.system : []).flatMap((block, place) =>
    Object.keys(Object(block))
      .filter((name) => name !== "type" && name !== "text")
      .map(
        (name): PreviewedField => ({
          name: `system.${place}.${name}`,
          fate: "kept",
          reason: "is kept with the blocks of the system prompt"
        })
      )
  )
]

/** Fills a prompt; values without a variable are ignored. */
const fillPrompt = (
  systemPrompt: string | null,
  variables: RequestBody[string] | undefined
): Result.Result<Pick<RequestPreview, "fields" | "filledPrompt">, InvalidRequest> => {
  if (variables === undefined) return Result.succeed({ fields: [] })
  const version = { version: 1, format: "responses", systemPrompt, config: {} } as const
  const { leftOut, request, unfilled } = resolve(version, { variables }, "responses")
  if (unfilled !== undefined) {
    return Result.fail(new InvalidRequest({ problems: [{ path: "variables", rule: unfilled }] }))
  }
  return Result.succeed({
    fields: leftOut.map(({ field, reason }) => ({ name: field, fate: "ignored", reason })),
    filledPrompt: String(request.instructions ?? "")
  })
}

/** What a request would become, or everything that is wrong with it. */
export const preview = (
  format: RequestFormat,
  request: SentRequest
): Result.Result<RequestPreview, InvalidRequest> =>
  Result.flatMap(validate(format, request), ({ variables, ...valid }) => {
    const kept = sort(format, valid)
    const { config, systemPrompt } = kept
    return Result.map(fillPrompt(systemPrompt, variables), ({ fields, ...filled }) => ({
      ...{ systemPrompt, config, variables: variablesOf(systemPrompt), ...filled },
      fields: [...previewOf(format, valid), ...partsOf(kept), ...fields]
    }))
  })
