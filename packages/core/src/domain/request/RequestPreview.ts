/**
 * What a preset would keep of a request, field by field and with reasons, before anything is
 * stored.
 */
import { Result } from "effect"
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
import { becauseSecret } from "./Secrets.ts"

/** What becomes of a field that was sent, and why. */
interface PreviewedField {
  readonly name: string
  readonly fate: Fate
  readonly reason: string
}

/** What a request would become. */
export interface RequestPreview extends Pick<Kept, "systemPrompt" | "config"> {
  /** Every field that was sent, in the order sent; then parts whose fate is another. */
  readonly fields: ReadonlyArray<PreviewedField>
}

const isSilent = (format: RequestFormat, name: string, body: RequestBody): boolean =>
  format.system.every(({ field, texts }) => field !== name || texts(body[name], body).length === 0)

const previewOf = (format: RequestFormat, body: RequestBody): ReadonlyArray<PreviewedField> =>
  Object.entries(body).map(([name, value]) => {
    const field = Object.hasOwn(format.fields, name) ? format.fields[name] : undefined
    if (field === undefined) return { name, fate: "ignored", reason: "is not known" }
    const { fate, reason } = field
    // The table speaks of the field; this body may say nothing in it.
    if (fate !== "ignored" && value === null) return { name, fate: "ignored", reason: "is null" }
    if (fate === "systemPrompt" && isSilent(format, name, body)) {
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

/** What a request would become, or everything that is wrong with it. */
export const preview = (
  format: RequestFormat,
  request: SentRequest
): Result.Result<RequestPreview, InvalidRequest> =>
  Result.map(validate(format, request), (valid) => {
    const kept = sort(format, valid)
    const { config, systemPrompt } = kept
    return { systemPrompt, config, fields: [...previewOf(format, valid), ...partsOf(kept)] }
  })
