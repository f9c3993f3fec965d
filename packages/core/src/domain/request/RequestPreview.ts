/**
 * Previews what a preset would keep from a request, field by field and with reasons, before
 * anything is stored.
 */
import { resolve, variablesOf } from "@verbatim/resolution"
import { Result } from "effect"
import { findNearestName } from "../schema/NearestName.ts"
import { InvalidRequest } from "../schema/Problem.ts"
import type { Fate } from "./FieldTable.ts"
import {
  addsNoPrompt,
  type RequestBody,
  type RequestFormat,
  type SentRequest,
  type SortedRequest,
  secretReason,
  sort,
  validate
} from "./RequestFormat.ts"

/** A field that was sent, with its fate and the reason. */
interface PreviewedField {
  readonly name: string
  readonly fate: Fate
  readonly reason: string
}

/** A preview of what a preset would keep. */
export interface RequestPreview extends Pick<SortedRequest, "systemPrompt" | "config"> {
  /** Every field in the order sent, followed by the parts whose fate differs from their field's. */
  readonly fields: ReadonlyArray<PreviewedField>
  /** The variables of the system prompt, in order. */
  readonly variables: ReadonlyArray<string>
  /** The system prompt filled with the values that were sent; missing if no values were sent. */
  readonly filledPrompt?: string
}

/** Longer names get no suggestion, because the comparison takes time for each letter. */
const nameMax = 40

/** Requests with more fields get no suggestions. */
const fieldsMax = 100

const notKnown = (
  format: RequestFormat,
  { body, name }: { readonly body: RequestBody; readonly name: string }
): string => {
  const isShort = name.length <= nameMax && Object.keys(body).length <= fieldsMax
  const meant = isShort ? findNearestName(name, Object.keys(format.fields)) : undefined
  return meant === undefined ? "is not known" : `is not known (did you mean ${meant}?)`
}

const previewOf = (format: RequestFormat, body: RequestBody): ReadonlyArray<PreviewedField> =>
  Object.entries(body).map(([name, value]) => {
    const field = Object.hasOwn(format.fields, name) ? format.fields[name] : undefined
    if (field === undefined)
      return { name, fate: "ignored", reason: notKnown(format, { body, name }) }
    const { fate, reason } = field
    // The table describes a field in general, but in this body the field may be empty.
    if (fate !== "ignored" && value === null) return { name, fate: "ignored", reason: "is null" }
    if (fate === "systemPrompt" && addsNoPrompt(format, { name, body })) {
      return { name, fate: "ignored", reason: "holds no system prompt" }
    }
    return { name, fate, reason }
  })

/** Lists the parts of a field that are dropped or become part of the system prompt. */
const partsOf = ({ config, notKept }: SortedRequest): ReadonlyArray<PreviewedField> => [
  ...notKept
    .filter((path) => path.includes("."))
    .map((name): PreviewedField => ({ name, fate: "ignored", reason: secretReason })),
  ...(Array.isArray(config.system) ? config.system : []).flatMap((block, index) =>
    Object.keys(Object(block))
      .filter((name) => name !== "type" && name !== "text")
      .map(
        (name): PreviewedField => ({
          name: `system.${index}.${name}`,
          fate: "kept",
          reason: "is kept with the blocks of the system prompt"
        })
      )
  )
]

/** Fills a prompt; values that match no variable are ignored. */
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

/** Previews a request, or refuses it with all problems. */
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
