/** How the methods of an opened Verbatim run: what they need, and what their failures become. */
import { Followings } from "@verbatim/core/services"
import { Effect, Exit, type ManagedRuntime } from "effect"
import { Closed } from "../Errors.ts"
import type { Ground } from "./Ground.ts"
import { rejectionOf } from "./Rejection.ts"

/** Runs an effect as a promise. When the signal is aborted, it rejects with its reason. */
export type Run = <A>(effect: Effect.Effect<A, unknown, Ground>, signal?: AbortSignal) => Promise<A>

/** Runs, until it is closed. */
export interface Host {
  readonly run: Run
  readonly isClosing: () => boolean
  /** Rejects whatever is pending, and everything that is asked from now on. */
  readonly close: () => Promise<void>
}

/** Makes the host of a runtime. */
export const makeHost = (runtime: ManagedRuntime.ManagedRuntime<Ground, unknown>): Host => {
  const closing = new AbortController()
  const run: Run = async (effect, signal) => {
    if (closing.signal.aborted) throw new Closed()
    const both = signal === undefined ? closing.signal : AbortSignal.any([signal, closing.signal])
    const exit = await runtime.runPromiseExit(effect, { signal: both })
    if (Exit.isSuccess(exit)) return exit.value
    if (Exit.hasInterrupts(exit)) {
      if (closing.signal.aborted) throw new Closed()
      signal?.throwIfAborted()
    }
    throw rejectionOf(exit.cause)
  }
  /** Answers over HTTP to those who listen have no end of their own. */
  const endStreams = () => runtime.runPromiseExit(Effect.flatMap(Followings, ({ end }) => end))
  let closed: Promise<void> | undefined
  return {
    run,
    isClosing: () => closing.signal.aborted,
    close: () => {
      closing.abort()
      closed ??= endStreams().then(() => runtime.dispose())
      return closed
    }
  }
}
