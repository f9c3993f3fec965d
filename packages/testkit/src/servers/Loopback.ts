/**
 * A server on a free port of the loopback address, until the scope closes.
 */
import type { Server } from "node:http"
import { Effect, type Scope } from "effect"

/** Lets a server listen. Gives its origin: `http://127.0.0.1:<port>`. */
export const listen = (server: Server): Effect.Effect<string, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.callback<string>((resume) => {
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        const port = address !== null && typeof address === "object" ? address.port : 0
        resume(Effect.succeed(`http://127.0.0.1:${port}`))
      })
    }),
    () =>
      Effect.sync(() => {
        server.close()
        server.closeAllConnections()
      })
  )
