/** The keywords of a request and of its workspace, joined. */
import { unite } from "../workspace/Keywords.ts"
import type { TranscriptionRequest } from "./TranscriptionRequest.ts"

/** The request with the keywords of its workspace after its own. */
export const withKeywords = (
  request: TranscriptionRequest,
  more: ReadonlyArray<string>
): TranscriptionRequest =>
  more.length === 0 ? request : { ...request, keywords: unite(request.keywords ?? [], more) }
