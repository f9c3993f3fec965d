/**
 * Whether a host wants to be told of jobs that are over.
 */
import { Context } from "effect"

/**
 * Whether jobs that are accepted here get a notice, whoever asked for them. Only processes with a
 * `JobListener` give it: until one of them lives, the notice waits.
 */
export const NoticeWanted: Context.Reference<boolean> = Context.Reference(
  "@verbatim/core/domain/notice/NoticeWanted",
  { defaultValue: () => false }
)
