/** How an opened Verbatim runs until it is closed. */
import { Followings } from "@verbatim/core/services"
import { Effect, type ManagedRuntime } from "effect"
import type { Ground } from "./Ground.ts"

/** Runs, until it is closed. */
export interface Host {
  /** Aborted when it closes: from then on nothing answers. */
  readonly closing: AbortSignal
  /** Interrupts whatever runs, and waits until all of it has ended. */
  readonly close: () => Promise<void>
}

/** Makes the host of a runtime. */
export const makeHost = (runtime: ManagedRuntime.ManagedRuntime<Ground, unknown>): Host => {
  /** Answers over HTTP to those who listen have no end of their own. */
  const endStreams = () => runtime.runPromiseExit(Effect.flatMap(Followings, ({ end }) => end))
  const closing = new AbortController()
  let closed: Promise<void> | undefined
  return {
    closing: closing.signal,
    close: () => {
      closing.abort(new Error("Verbatim was closed"))
      closed ??= endStreams().then(() => runtime.dispose())
      return closed
    }
  }
}
