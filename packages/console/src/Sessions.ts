/**
 * Who has logged in: a random name in a cookie, and here, in memory alone, the keys behind it. A
 * restart forgets all of them.
 */
import { Clock, Context, Duration, Effect, Layer, type Redacted } from "effect"
import { SecureRandom } from "effect/crypto"

/** The keys of somebody who has logged in: of a workspace, of an operator, or both. */
export interface Keys {
  readonly workspace?: Redacted.Redacted
  readonly operator?: Redacted.Redacted
}

/** A working day: whoever does nothing for as long has gone home. */
const idleTime = Duration.hours(12)

/** Some 300 bytes each; whoever has been away for longest makes place. */
const sessionMax = 10_000

const nameBytes = 32

const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex")

export class Sessions extends Context.Service<
  Sessions,
  {
    /** Begins one, and gives its name. */
    readonly open: (keys: Keys) => Effect.Effect<string>
    /** The keys of a session that is not over; it goes on from now. */
    readonly find: (name: string) => Effect.Effect<Keys | undefined>
    readonly close: (name: string) => Effect.Effect<void>
  }
>()("@verbatim/console/Sessions") {
  /** Of this process alone. */
  static readonly layer: Layer.Layer<Sessions, never, SecureRandom.SecureRandom> = Layer.effect(
    Sessions,
    Effect.gen(function* () {
      const random = yield* SecureRandom.SecureRandom
      // The one that was used last comes last.
      const open = new Map<string, { readonly keys: Keys; readonly usedAt: number }>()
      const keep = (name: string, keys: Keys, usedAt: number) => {
        open.delete(name)
        open.set(name, { keys, usedAt })
        for (const [oldest] of open) {
          if (open.size <= sessionMax) break
          open.delete(oldest)
        }
      }
      return {
        open: Effect.fnUntraced(function* (keys) {
          const name = toHex(yield* random.randomBytes(nameBytes))
          keep(name, keys, yield* Clock.currentTimeMillis)
          return name
        }),
        find: Effect.fnUntraced(function* (name) {
          const found = open.get(name)
          if (found === undefined) return undefined
          const now = yield* Clock.currentTimeMillis
          if (now - found.usedAt > Duration.toMillis(idleTime)) {
            open.delete(name)
            return undefined
          }
          keep(name, found.keys, now)
          return found.keys
        }),
        close: (name) => Effect.sync(() => void open.delete(name))
      }
    })
  )
}
