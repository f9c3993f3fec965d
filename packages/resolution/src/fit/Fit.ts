/**
 * Changes the preset's fields until they obey the rules of the request's endpoint, so that two
 * valid requests never combine into an invalid one. The request's own fields never change.
 */

import type { Lost } from "../FieldMapping.ts"
import type { Format } from "../Format.ts"
import type { Json } from "../Json.ts"
import { messagesRules } from "./MessagesRules.ts"
import { chatRules, responsesRules } from "./OpenAiRules.ts"
import type { Fields, Mend, Rule } from "./Rule.ts"

const rules: Readonly<Record<Format, ReadonlyArray<Rule>>> = {
  responses: responsesRules,
  chatCompletions: chatRules,
  messages: messagesRules
}

/** A request that is being resolved. */
export interface Draft {
  readonly values: Map<string, Json>
  /** Whether a field comes from the request; undefined if the field is missing. */
  readonly isRequests: (field: string) => boolean | undefined
  readonly format: Format
  /**
   * Whether the preset comes from another format, and may therefore break rules of the request's
   * format.
   */
  readonly isTranslated: boolean
  /** Returns a field's name in the preset. */
  readonly nameOf: (field: string) => string
}

/** Whether an endpoint would reject these fields. */
export const isRefused = (format: Format, fields: Fields): boolean =>
  rules[format].some(({ isBroken }) => isBroken(fields))

const write = (values: Map<string, Json>, { field, fitted }: Mend): Json | undefined => {
  const value = fitted?.(values)
  if (value === undefined) values.delete(field)
  else values.set(field, value)
  return value
}

/** Describes a changed value for a message, without showing a long value. */
const show = (value: Json | undefined): string => {
  if (value === undefined) return "left out"
  const text = JSON.stringify(value)
  return text.length > 80 ? "changed" : `now ${text}`
}

/** Changes fields until they break no rule, and returns the changes. */
export const fit = (draft: Draft): ReadonlyArray<Lost> => {
  const { format, isRequests, isTranslated, nameOf, values } = draft
  const lost: Array<Lost> = []
  for (const { fields, isBroken, mends, says, source } of rules[format]) {
    // If no field comes from the request or from another format, all fields come from the request
    // that created the preset, and the endpoint accepts that combination.
    const isChecked = isTranslated || fields.some((field) => isRequests(field) === true)
    if (!isChecked) continue
    for (const mend of mends) {
      if (!isBroken(values)) break
      if (isRequests(mend.field) !== false) continue
      const value = write(values, mend)
      const reason = `${says} (${source}): ${show(value)}`
      lost.push({ field: nameOf(mend.field), reason })
    }
  }
  return lost
}
