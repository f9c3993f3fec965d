/**
 * Fits what a preset adds to a request to the rules of its endpoint, so that two requests that it
 * takes never make one that it refuses. What the request says itself is never touched.
 */
import type { Format } from "../Format.ts"
import type { Lost } from "../Idea.ts"
import type { Json } from "../Json.ts"
import { messagesRules } from "./MessagesRules.ts"
import { chatRules, responsesRules } from "./OpenAiRules.ts"
import type { Fields, Mend, Rule } from "./Rule.ts"

const rules: Readonly<Record<Format, ReadonlyArray<Rule>>> = {
  responses: responsesRules,
  chatCompletions: chatRules,
  messages: messagesRules
}

/** A request that is put together. */
export interface Draft {
  readonly values: Map<string, Json>
  /** Whether a field is the request's; undefined where there is none. */
  readonly isRequests: (field: string) => boolean | undefined
  readonly format: Format
  /** Whether the preset says all in other words than its own, so that nobody has tried them. */
  readonly isTranslated: boolean
  /** How the preset itself calls a field. */
  readonly nameOf: (field: string) => string
}

/** Whether an endpoint refuses these fields by themselves. */
export const isRefused = (format: Format, fields: Fields): boolean =>
  rules[format].some(({ isBroken }) => isBroken(fields))

const write = (values: Map<string, Json>, { field, fitted }: Mend): Json | undefined => {
  const value = fitted?.(values)
  if (value === undefined) values.delete(field)
  else values.set(field, value)
  return value
}

/** What of values is short enough to be told. */
const show = (value: Json | undefined): string => {
  if (value === undefined) return "left out"
  const text = JSON.stringify(value)
  return text.length > 80 ? "changed" : `now ${text}`
}

/** Mends what is broken, and tells what became of it. */
export const fit = (draft: Draft): ReadonlyArray<Lost> => {
  const { format, isRequests, isTranslated, nameOf, values } = draft
  const lost: Array<Lost> = []
  for (const { fields, isBroken, mends, says, source } of rules[format]) {
    // What was kept of one request in this format, its endpoint took.
    const isAsked = isTranslated || fields.some((field) => isRequests(field) === true)
    if (!isAsked) continue
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
