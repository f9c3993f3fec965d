/**
 * The system prompt in each format: its field, the blocks that the format supports, and whether the
 * request replaces the preset's prompt with its own.
 */

import { type Lost, noWords } from "./FieldMapping.ts"
import type { Format } from "./Format.ts"
import { isObject, type Json, type JsonObject, listIn, own } from "./Json.ts"

const isSystemMessage = (message: Json | undefined): boolean => {
  const role = isObject(message) ? own(message, "role") : undefined
  return role === "system" || role === "developer"
}

const hasSystemMessage = (request: JsonObject): boolean =>
  listIn(request, "messages").some(isSystemMessage)

/** Whether a request replaces the preset's prompt; a null field replaces it too. */
export const bringsPrompt: Readonly<Record<Format, (request: JsonObject) => boolean>> = {
  responses: (request) =>
    Object.hasOwn(request, "instructions") || isSystemMessage(listIn(request, "input")[0]),
  chatCompletions: hasSystemMessage,
  messages: (request) => Object.hasOwn(request, "system") || hasSystemMessage(request)
}

/** For each format, the field that contains the system prompt. */
export const promptField: Readonly<Record<Format, string>> = {
  responses: "instructions",
  chatCompletions: "messages",
  messages: "system"
}

/**
 * Returns, for each format, the value of the prompt's field with the prompt added; undefined if the
 * request uses the field for something else.
 */
export const promptValue: Readonly<
  Record<Format, (prompt: Json, request: JsonObject) => Json | undefined>
> = {
  responses: (prompt) => prompt,
  chatCompletions: (content, request) => {
    const messages = own(request, "messages") ?? []
    return Array.isArray(messages) ? [{ role: "system", content }, ...messages] : undefined
  },
  messages: (prompt) => prompt
}

/** The configuration field that contains prompt blocks with more than text. */
export const blocksField = "system"

/** A prompt written in a format, as text or blocks. */
interface WrittenPrompt {
  readonly content: Json
  readonly lost: ReadonlyArray<Lost>
}

/** A block's members other than its type and text. */
const extras = (format: Format, isGateway: boolean): ReadonlySet<string> => {
  if (format === "messages") return new Set(["cache_control", "citations"])
  if (format === "responses") return new Set()
  return new Set(["prompt_cache_breakpoint", ...(isGateway ? ["cache_control"] : [])])
}

/** A prompt, with its blocks if any of them has more than text. */
interface Prompt {
  readonly text: string
  readonly blocks: ReadonlyArray<Json>
}

/**
 * Converts a prompt to another format. Keeps it as blocks if that format supports all fields of the
 * blocks.
 */
export const writePrompt = (
  { blocks, text }: Prompt,
  direction: { readonly from: Format; readonly to: Format; readonly isGateway: boolean }
): WrittenPrompt => {
  const { from, isGateway, to } = direction
  if (from === to && blocks.length > 0) return { content: blocks, lost: [] }
  const taken = extras(to, isGateway)
  const lost: Array<Lost> = []
  let isMore = false
  const left = blocks.filter(isObject).map((block, place) => {
    const members = Object.entries(block).filter(([name]) => {
      if (name === "type" || name === "text") return true
      const field = `${blocksField}.${place}.${name}`
      if (!taken.has(name)) lost.push({ field, reason: noWords })
      else isMore = true
      return taken.has(name)
    })
    return Object.fromEntries(members)
  })
  return { content: isMore ? left : text, lost }
}
