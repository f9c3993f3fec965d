/**
 * The bodies that a preset is made from, one format each.
 */
export { ChatCompletionsRequest } from "./ChatCompletionsRequest.ts"
export { FormatName } from "./FormatName.ts"
export { MessagesRequest } from "./MessagesRequest.ts"
export { chatCompletions, messages, type RequestFormat, responses } from "./RequestFormat.ts"
export type { RequestPreview } from "./RequestPreview.ts"
export { ResponsesRequest } from "./ResponsesRequest.ts"
export { sessionIdMax } from "./SessionId.ts"
export { fromWireFormat, toWireFormat, WireFormat } from "./WireFormat.ts"
