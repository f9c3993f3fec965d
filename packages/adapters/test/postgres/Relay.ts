/**
 * Runs a relay to a server. Tests can silence the relay: connections stay open, but no data passes.
 */
import { connect, createServer, type Socket } from "node:net"
import { Effect } from "effect"

/** A running relay, and functions that make it silent and reopen it. */
export interface Relay {
  readonly port: number
  /** Stops forwarding data, on existing and on new connections. */
  readonly silence: () => void
  /** Forwards data on new connections again, and closes the silent ones. */
  readonly resume: () => void
}

/** Opens a relay to a port on this machine until the scope closes. */
export const open = (target: number) =>
  Effect.acquireRelease(
    Effect.promise(() => listening(target)),
    ({ close }) => Effect.sync(close)
  )

const listening = (target: number): Promise<Relay & { readonly close: () => void }> =>
  new Promise((resolve) => {
    const sockets = new Set<Socket>()
    let isSilent = false
    const cut = () => {
      for (const socket of sockets) socket.destroy()
      sockets.clear()
    }
    const forward = (from: Socket, to: Socket) => {
      sockets.add(from)
      from.on("error", () => to.destroy())
      from.on("close", () => to.destroy())
      from.on("data", (bytes) => {
        if (!isSilent) to.write(bytes)
      })
    }
    const relay = createServer((near) => {
      const far = connect(target, "127.0.0.1")
      forward(near, far)
      forward(far, near)
    })
    relay.listen(0, "127.0.0.1", () => {
      const address = relay.address()
      resolve({
        port: typeof address === "object" && address !== null ? address.port : 0,
        silence: () => {
          isSilent = true
        },
        resume: () => {
          isSilent = false
          cut()
        },
        close: () => {
          cut()
          relay.close()
        }
      })
    })
  })
