/**
 * The formats of request bodies from which a preset can be made.
 */
export { ChatCompletionsRequest } from "./ChatCompletionsRequest.ts"
export * from "./FormatName.ts"
export { MessagesRequest } from "./MessagesRequest.ts"
export { chatCompletions, messages, type RequestFormat, responses } from "./RequestFormat.ts"
export type { RequestPreview } from "./RequestPreview.ts"
export { ResponsesRequest, sessionIdMax } from "./ResponsesRequest.ts"
