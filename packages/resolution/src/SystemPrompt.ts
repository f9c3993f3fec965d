/**
 * The system prompt in a request of each format: where it stands, which blocks of it a format can
 * say, and whether the request brings its own, which then counts alone.
 */
import type { Format } from "./Format.ts"
import { type Lost, noWords } from "./Idea.ts"
import { isObject, type Json, type JsonObject, listIn, own } from "./Json.ts"

const speaksForSystem = (message: Json | undefined): boolean => {
  const role = isObject(message) ? own(message, "role") : undefined
  return role === "system" || role === "developer"
}

const hasSystemMessage = (request: JsonObject): boolean =>
  listIn(request, "messages").some(speaksForSystem)

/** Whether a request says something in place of the preset's prompt; null is such a word. */
export const bringsPrompt: Readonly<Record<Format, (request: JsonObject) => boolean>> = {
  responses: (request) =>
    Object.hasOwn(request, "instructions") || speaksForSystem(listIn(request, "input")[0]),
  chatCompletions: hasSystemMessage,
  messages: (request) => Object.hasOwn(request, "system") || hasSystemMessage(request)
}

/** The field in which a prompt stands. */
export const promptField: Readonly<Record<Format, string>> = {
  responses: "instructions",
  chatCompletions: "messages",
  messages: "system"
}

/** The value of that field with a prompt; undefined when the request has something else there. */
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

/** The field of a configuration that has the blocks of a prompt which are more than text. */
export const blocksField = "system"

/** A prompt in the words of a format: text, or blocks. */
interface SaidPrompt {
  readonly content: Json
  readonly lost: ReadonlyArray<Lost>
}

/** What a block may have beside its type and text. */
const extras = (format: Format, isGateway: boolean): ReadonlySet<string> => {
  if (format === "messages") return new Set(["cache_control", "citations"])
  if (format === "responses") return new Set()
  return new Set(["prompt_cache_breakpoint", ...(isGateway ? ["cache_control"] : [])])
}

/** A prompt, and the blocks of it where one of them is more than text. */
interface Prompt {
  readonly text: string
  readonly blocks: ReadonlyArray<Json>
}

/** Says a prompt in another format: in blocks, where the format can say what they have. */
export const sayPrompt = (
  { blocks, text }: Prompt,
  direction: { readonly from: Format; readonly to: Format; readonly isGateway: boolean }
): SaidPrompt => {
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
