/** Serves the console next to the API, with the host's `authorize`. */
import { type Access, Console } from "@verbatim/console"
import { Effect } from "effect"
import type { AuthorizeConsole, SharedOptions } from "../Options.ts"
import { toRequest } from "./HostAuthenticator.ts"

/** The console's path below the API's prefix. */
const folder = "/console"

const levels: ReadonlySet<unknown> = new Set(["none", "read", "write"])

const isAccess = (answer: unknown): answer is Access => levels.has(answer)

/**
 * Calls the host's function. If the function throws or returns an invalid result, the request is
 * rejected, and only the log says why.
 */
const callAuthorize =
  (authorize: AuthorizeConsole) =>
  (request: Parameters<typeof toRequest>[0]): Effect.Effect<Access> =>
    Effect.tryPromise(async () => authorize(toRequest(request))).pipe(
      Effect.filterOrFail(isAccess, (answer) => `it returned ${String(answer)}`),
      Effect.catchCause((cause) =>
        Effect.as(
          Effect.logError("The console's authorize failed, or its result is invalid", cause),
          "none" as const
        )
      )
    )

/** Mounts the console next to the API. */
export const consoleRoutes = (
  wanted: Exclude<SharedOptions["console"], boolean | undefined> | true
) =>
  ({
    folder,
    layer: Console.layer({
      prefix: folder,
      ...(wanted === true ? {} : { authorize: callAuthorize(wanted.authorize) })
    })
  }) as const
