/** What the description says about an operation in words. */
import { OpenApi } from "effect/http-api"

/** One line, and the sentences that follow it. */
export const describe = (summary: string, ...sentences: ReadonlyArray<string>) =>
  OpenApi.annotations({ summary, description: sentences.join(" ") })
