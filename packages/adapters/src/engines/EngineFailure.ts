/** How an engine says that it made no transcript. */
import { TranscriberError } from "@verbatim/core/ports"

/** The error with a reason. */
export const failure = (reason: TranscriberError["reason"]): TranscriberError =>
  new TranscriberError({ reason })
