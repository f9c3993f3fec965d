/**
 * Where the system prompt stands in a request of each format, and whether the request brings its
 * own, which then counts alone.
 */
import type { Format } from "./Format.ts"
import { isObject, type Json, type JsonObject, own } from "./Json.ts"

const speaksForSystem = (message: Json): boolean => {
  const role = isObject(message) ? own(message, "role") : undefined
  return role === "system" || role === "developer"
}

const hasSystemMessage = (request: JsonObject): boolean => {
  const messages = own(request, "messages")
  return Array.isArray(messages) && messages.some(speaksForSystem)
}

/** Whether a request says something in place of the preset's prompt; null is such a word. */
export const bringsPrompt: Readonly<Record<Format, (request: JsonObject) => boolean>> = {
  responses: (request) => Object.hasOwn(request, "instructions"),
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
  Record<Format, (prompt: string, request: JsonObject) => Json | undefined>
> = {
  responses: (prompt) => prompt,
  chatCompletions: (prompt, request) => {
    const messages = own(request, "messages") ?? []
    return Array.isArray(messages) ? [{ role: "system", content: prompt }, ...messages] : undefined
  },
  messages: (prompt) => prompt
}
