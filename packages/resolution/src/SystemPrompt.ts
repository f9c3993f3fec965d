/**
 * Defines where each format has its system prompt, which blocks it supports, and whether a request
 * brings its own prompt.
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
 * Returns the prompt field's new value, in each format; undefined if the request uses that field
 * for something else.
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

/** The configuration field that holds prompt blocks if they contain more than text. */
export const blocksField = "system"

/** A prompt in one format: a string or a list of blocks. */
interface WrittenPrompt {
  readonly content: Json
  readonly lost: ReadonlyArray<Lost>
}

/** The members that a block may have besides its type and text. */
const extras = (format: Format, isGateway: boolean): ReadonlySet<string> => {
  if (format === "messages") return new Set(["cache_control", "citations"])
  if (format === "responses") return new Set()
  return new Set(["prompt_cache_breakpoint", ...(isGateway ? ["cache_control"] : [])])
}

/** A prompt's text, and its blocks if they contain more than text. */
interface Prompt {
  readonly text: string
  readonly blocks: ReadonlyArray<Json>
}

/**
 * Converts a prompt to another format. The prompt stays in blocks if that format supports all of
 * their members.
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
