/** A host's own word about who sends a request. */
import { Authenticator, AuthenticatorError, Unauthenticated } from "@verbatim/http"
import { Effect, Layer } from "effect"
import type { HttpServerRequest } from "effect/http"
import type { Authenticate, Caller } from "../Options.ts"
import type { Owners } from "./Workspaces.ts"

const kinds = new Set<unknown>(["management", "inference"])

const isCaller = (found: Caller): boolean =>
  typeof found.workspace === "string" && kinds.has(found.kind)

/** The request without its body, which is ours to read. */
const toRequest = ({ headers, method, originalUrl }: HttpServerRequest.HttpServerRequest) => {
  const url = new URL(originalUrl, `http://${headers.host ?? "localhost"}`)
  return new Request(url, { method, headers: { ...headers } })
}

/** Asks the host. Its workspaces are made when they are first named. */
export const layer = (authenticate: Authenticate, owners: Owners): Layer.Layer<Authenticator> =>
  Layer.succeed(Authenticator, {
    identify: ({ request }) =>
      Effect.gen(function* () {
        const found = yield* Effect.tryPromise(() => authenticate(toRequest(request)))
        if (found === null || found === undefined) {
          return yield* new Unauthenticated({ reason: "Unknown" })
        }
        if (!isCaller(found)) return yield* Effect.fail(new Error("a caller without a workspace"))
        const { principal } = yield* owners.find(found)
        return { ...principal, kind: found.kind }
      }).pipe(
        Effect.mapError((cause) =>
          cause instanceof Unauthenticated ? cause : new AuthenticatorError({ cause })
        )
      )
  })
