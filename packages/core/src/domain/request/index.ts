/** The formats of requests from which a preset can be created. */
export { ChatCompletionsRequest } from "./ChatCompletionsRequest.ts"
export { MessagesRequest } from "./MessagesRequest.ts"
export {
  chatCompletions,
  FormatName,
  fromWireFormat,
  messages,
  type RequestFormat,
  responses,
  toWireFormat,
  WireFormat
} from "./RequestFormat.ts"
export type { RequestPreview } from "./RequestPreview.ts"
export { ResponsesRequest, sessionIdMax } from "./ResponsesRequest.ts"
