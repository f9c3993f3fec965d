/**
 * What a preset would keep of a request, field by field and with reasons, before anything is
 * stored.
 */
import { Result, type Schema } from "effect"
import type { InvalidRequest } from "../schema/Problem.ts"
import type { Fate } from "./FieldTable.ts"
import {
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
  /** Every field that was sent, in the order sent. */
  readonly fields: ReadonlyArray<PreviewedField>
}

const isSilent = (format: RequestFormat, name: string, value: Schema.Json): boolean =>
  format.system.every(({ field, texts }) => field !== name || texts(value).length === 0)

const previewOf = (format: RequestFormat, body: RequestBody): ReadonlyArray<PreviewedField> =>
  Object.entries(body).map(([name, value]) => {
    const field = Object.hasOwn(format.fields, name) ? format.fields[name] : undefined
    if (field === undefined) return { name, fate: "ignored", reason: "is not known" }
    const { fate, reason } = field
    // The table speaks of the field; this body may say nothing in it.
    if (fate !== "ignored" && value === null) return { name, fate: "ignored", reason: "is null" }
    if (fate === "systemPrompt" && isSilent(format, name, value)) {
      return { name, fate: "ignored", reason: "holds no system prompt" }
    }
    return { name, fate, reason }
  })

/** What a request would become, or everything that is wrong with it. */
export const preview = (
  format: RequestFormat,
  request: SentRequest
): Result.Result<RequestPreview, InvalidRequest> =>
  Result.map(validate(format, request), (valid) => {
    const { config, systemPrompt } = sort(format, valid)
    return { systemPrompt, config, fields: previewOf(format, valid) }
  })
