/**
 * Opens Verbatim inside a host, and returns an API client that handles its calls within this
 * process.
 */
import { VerbatimError } from "@verbatim/client"
import { EventStreams, MediaIdentity } from "@verbatim/core/services"
import { Effect, ManagedRuntime } from "effect"
import type { Options } from "../Options.ts"
import type { Verbatim } from "../Verbatim.ts"
import { findHandlerError, makeApi } from "./Api.ts"
import { makeEmbedded } from "./Embedded.ts"
import { ground } from "./hostAdapters.ts"
import { makeOwnerLookup } from "./OwnerLookup.ts"
import { requireNode, validateOptions } from "./validateOptions.ts"

/**
 * Default minutes of a new workspace. Ten million minutes are nineteen years of speech, so a host
 * that does not sell minutes can ignore the balance.
 */
const defaultMinutes = 10_000_000

const closedError = () =>
  new VerbatimError({ kind: "refused", status: 503, message: "Verbatim was closed" })

/** Implements the package's `open`. */
export const open = async (options: Options): Promise<Verbatim> => {
  requireNode(process.versions)
  validateOptions(options)
  const runtime = ManagedRuntime.make(ground(options))
  // Ends the event streams, which would otherwise never end.
  const endStreams = () => runtime.runPromiseExit(Effect.flatMap(EventStreams, ({ end }) => end))
  const closing = new AbortController()
  let closed: Promise<void> | undefined
  const close = () => {
    closing.abort(closedError())
    closed ??= endStreams().then(() => runtime.dispose())
    return closed
  }
  const begin = makeOwnerLookup(options.initialMinutes ?? defaultMinutes).pipe(
    // Write the media marker now; otherwise it could be written within one of the host's
    // transactions.
    Effect.tap(() => Effect.flatMap(MediaIdentity, ({ verify }) => verify)),
    // Create the workspace now. If one of the host's transactions created it, all other calls would
    // block until that transaction ends.
    Effect.tap(({ find }) => find({}))
  )
  const owners = await runtime.runPromise(begin).catch(async (fault: unknown) => {
    await close()
    throw fault
  })
  const { call, fetch, handler } = makeApi({ options, owners, runtime, closing: closing.signal })
  const client = makeEmbedded({ call, prefix: options.prefix })
  const verbatim = Object.assign(client, { fetch, handler, close, [Symbol.asyncDispose]: close })
  const error = await findHandlerError()
  if (error === undefined) return verbatim
  // Not enumerable, so that a host that uses only `fetch` can copy the object.
  return Object.defineProperty(verbatim, "handler", {
    enumerable: false,
    get: () => {
      throw error
    }
  })
}
