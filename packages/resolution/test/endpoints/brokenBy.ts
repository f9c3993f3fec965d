/**
 * The rules of each format's endpoint, for single fields and for combinations. These rules come
 * from the providers' references, independently of the rules that change presets to fit.
 */
import type { Format, JsonObject } from "#src/index"
import { messagesEndpoint } from "./MessagesEndpoint.ts"
import { chatEndpoint, responsesEndpoint } from "./OpenAiEndpoints.ts"
import type { EndpointRule } from "./Reading.ts"

/** The endpoint rules, by format. */
const endpointRules: Readonly<Record<Format, ReadonlyArray<EndpointRule>>> = {
  responses: responsesEndpoint,
  chatCompletions: chatEndpoint,
  messages: messagesEndpoint
}

/** Returns the endpoint rules that a request breaks. */
export const brokenBy = (format: Format, request: JsonObject): ReadonlyArray<string> =>
  endpointRules[format]
    .filter(({ holds }) => !holds(request))
    .map(({ rule, source }) => `${rule} (${source})`)
