/**
 * What a host wants to be told of its jobs.
 */
import { Context } from "effect"
import type { PerHook } from "./Hook.ts"

/**
 * Which notices jobs get that are accepted here, whoever asked for them. Only processes whose
 * `JobListener` has the hook give them: until one of them lives, the notice waits.
 */
export const NoticeWanted: Context.Reference<PerHook<boolean>> = Context.Reference(
  "@verbatim/core/domain/notice/NoticeWanted",
  { defaultValue: (): PerHook<boolean> => ({ transcribed: false, finished: false }) }
)
