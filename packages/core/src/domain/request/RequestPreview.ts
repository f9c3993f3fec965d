/**
 * Shows what a preset would keep from a request, field by field and with reasons, before anything
 * is stored.
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

/** A field that was sent, with how a preset treats it, and why. */
interface PreviewedField {
  readonly name: string
  readonly fate: Fate
  readonly reason: string
}

/** The preview of what a preset would keep from a request. */
export interface RequestPreview extends Pick<SortedRequest, "systemPrompt" | "config"> {
  /**
   * All fields in the order sent, followed by parts of fields that are treated differently from the
   * whole field.
   */
  readonly fields: ReadonlyArray<PreviewedField>
  /** The variables of the system prompt, in order. */
  readonly variables: ReadonlyArray<string>
  /** The system prompt, filled with the values that were sent; missing if there were none. */
  readonly filledPrompt?: string
}

/**
 * Maximum length of a name that gets a suggestion, because the comparison takes time for each
 * letter.
 */
const nameMax = 40

/** Maximum number of fields in a request that gets suggestions. */
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
    // The table describes the field in general, but it may be empty in this request.
    if (fate !== "ignored" && value === null) return { name, fate: "ignored", reason: "is null" }
    if (fate === "systemPrompt" && addsNoPrompt(format, { name, body })) {
      return { name, fate: "ignored", reason: "holds no system prompt" }
    }
    return { name, fate, reason }
  })

/**
 * Lists secrets, which are dropped, and the fields that are kept with the blocks of the system
 * prompt.
 */
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

/** Fills in the variables of a system prompt. Values that match no variable are ignored. */
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

/** Returns the preview of a request, or refuses the request with all its problems. */
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
