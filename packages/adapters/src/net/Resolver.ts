/**
 * Names to addresses, by the system: its hosts file and its name servers, as every other program
 * of the machine sees them.
 */
import { lookup } from "node:dns"
import { Effect } from "effect"
import { codeOf, OutboundError } from "./OutboundError.ts"

/** Gives every address of a name, in the order in which they are to be tried. */
export type Resolve = (name: string) => Effect.Effect<ReadonlyArray<string>, OutboundError>

/** The name has no address. */
export const unresolved = (host: string, code: string): OutboundError =>
  new OutboundError({ reason: { _tag: "Unresolved", host, code } })

/**
 * Asks the system. An interrupted question is not waited for, but it keeps its thread until the
 * system gives up; libuv lets questions take half of its threads, so files are still read.
 */
export const systemResolve: Resolve = (name) =>
  Effect.callback((resume) => {
    lookup(name, { all: true, order: "verbatim" }, (error, found) => {
      resume(
        error === null
          ? Effect.succeed(found.map(({ address }) => address))
          : Effect.fail(unresolved(name, codeOf(error)))
      )
    })
  })
