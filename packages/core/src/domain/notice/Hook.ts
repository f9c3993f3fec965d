/**
 * The functions that a host may have called for its jobs, each with a notice of its own.
 */
import { Schema } from "effect"
import type { Task } from "../attempt/Work.ts"

/** `transcribed` is called when the transcript is stored, `finished` when all else is over. */
export const Hook = Schema.Literals(["transcribed", "finished"])
export type Hook = typeof Hook.Type

/** Something for each hook. */
export type PerHook<A> = Readonly<Record<Hook, A>>

const hooks: Readonly<Partial<Record<Task, Hook>>> = {
  Announce: "transcribed",
  Notify: "finished"
}

/** The hook that a task calls, if it calls one. */
export const hookOf = (task: Task): Hook | undefined => hooks[task]
