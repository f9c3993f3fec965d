/**
 * What the makers of the three formats say that their endpoints take, for single fields and for
 * fields together. Written from their references, apart from the rules that presets are fitted by.
 */
import type { Format, JsonObject } from "#src/index"
import { messagesEndpoint } from "./MessagesEndpoint.ts"
import { chatEndpoint, responsesEndpoint } from "./OpenAiEndpoints.ts"
import type { EndpointRule } from "./Reading.ts"

/** The rules, by endpoint. */
const endpointRules: Readonly<Record<Format, ReadonlyArray<EndpointRule>>> = {
  responses: responsesEndpoint,
  chatCompletions: chatEndpoint,
  messages: messagesEndpoint
}

/** The rules that a request breaks. */
export const brokenBy = (format: Format, request: JsonObject): ReadonlyArray<string> =>
  endpointRules[format]
    .filter(({ holds }) => !holds(request))
    .map(({ rule, source }) => `${rule} (${source})`)
