/**
 * What happens to jobs in this process, for whoever waits here: nobody needs to ask the store again
 * and again. The store stays the truth: news says only that it is worth another look.
 */
import { Context } from "effect"
import type { JobId } from "../domain/attempt/JobId.ts"

/** Something happened to a job: it was written, it is gone, or the engine is so far. */
export interface News {
  readonly id: JobId
  /** From 0 to 1; left out where the job itself has changed. */
  readonly progress?: number
}

/** Takes the news, at once and without failing. Nobody listens by default. */
export const JobNews: Context.Reference<(news: News) => void> = Context.Reference(
  "@verbatim/core/services/JobNews",
  { defaultValue: (): ((news: News) => void) => () => undefined }
)
