/**
 * Who has logged in: a random name in a cookie, and here, in memory alone, the keys behind it. A
 * restart forgets all of them. Each key has a share of them: however often somebody logs in with
 * one, no session of another key ends.
 */
import { Clock, Context, Deferred, Duration, Effect, Layer, type Redacted } from "effect"
import { SecureRandom } from "effect/crypto"

/** The keys of somebody who has logged in: of a workspace, of an operator, or both. */
export interface Keys {
  readonly workspace?: Redacted.Redacted
  readonly operator?: Redacted.Redacted
}

/** In whose share a session is: that of the key that was shown last. */
export interface Holder {
  readonly keyId: string
  /** Operators are in none, and have a room of their own. */
  readonly workspaceId: string | null
}

/** A session that is not over. */
export interface Session {
  readonly keys: Keys
  /** Waits until it is over: closed, pushed out by others of its key, or left alone for long. */
  readonly untilOver: Effect.Effect<void>
}

/** A session to begin. */
interface Beginning {
  readonly keys: Keys
  readonly holder: Holder
  /**
   * The session of the same browser, of whichever workspace: it ends as this one begins, and counts
   * no more. Empty where there is none.
   */
  readonly replaces: string
}

/** A working day: whoever does nothing for as long has gone home. */
const idleTime = Duration.hours(12)

const idleMillis = Duration.toMillis(idleTime)

/** Browsers at work with one key: more than one person has open, or a team that shares a key. */
export const sessionsOfKeyMax = 20

/**
 * Those of a workspace, below a kilobyte each: more than the people who look at one. Whoever may
 * make keys could otherwise fill the memory with the shares of keys that come and go.
 */
export const sessionsOfWorkspaceMax = 5_000

const nameBytes = 32

const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex")

interface Open {
  readonly keys: Keys
  readonly holder: Holder
  readonly over: Deferred.Deferred<void>
  usedAt: number
}

const roomOf = ({ workspaceId }: Holder): string => workspaceId ?? "operators"

/** The sessions of a process, by their names. */
const makeBook = () => {
  // The one that was used last comes last.
  const open = new Map<string, Open>()

  const end = (name: string): void => {
    const found = open.get(name)
    if (found === undefined) return
    open.delete(name)
    Deferred.doneUnsafe(found.over, Effect.void)
  }

  const keep = (name: string, session: Open): void => {
    open.delete(name)
    open.set(name, session)
  }

  /** Those that were left alone for long come first. */
  const endIdle = (now: number): void => {
    for (const [name, { usedAt }] of open) {
      if (now - usedAt < idleMillis) return
      end(name)
    }
  }

  /**
   * Ends what must end so that one more can begin: the session that it goes on from, and the oldest
   * of a key that has all it may. Where that is not enough, nothing ends, and it says so.
   */
  const makeRoom = ({ holder, replaces }: Beginning): boolean => {
    const others = [...open].filter(([name]) => name !== replaces)
    const ofKey = others.filter(([, each]) => each.holder.keyId === holder.keyId)
    const ofRoom = others.filter(([, each]) => roomOf(each.holder) === roomOf(holder))
    const [oldest] = ofKey.length >= sessionsOfKeyMax ? (ofKey[0] ?? []) : []
    if (ofRoom.length >= sessionsOfWorkspaceMax && oldest === undefined) return false
    end(replaces)
    if (oldest !== undefined) end(oldest)
    return true
  }

  return { end, endIdle, find: (name: string) => open.get(name), keep, makeRoom }
}

export class Sessions extends Context.Service<
  Sessions,
  {
    /** Begins one, and gives its name; none where the workspace has as many as it may. */
    readonly open: (beginning: Beginning) => Effect.Effect<string | undefined>
    /** A session that is not over; it goes on from now. */
    readonly find: (name: string) => Effect.Effect<Session | undefined>
    readonly close: (name: string) => Effect.Effect<void>
  }
>()("@verbatim/console/Sessions") {
  /** Of this process alone. */
  static readonly layer: Layer.Layer<Sessions, never, SecureRandom.SecureRandom> = Layer.effect(
    Sessions,
    Effect.gen(function* () {
      const random = yield* SecureRandom.SecureRandom
      const book = makeBook()

      /** Waits until nobody has used a session for long, and ends it. */
      const untilIdle = (name: string, session: Open): Effect.Effect<void> =>
        Effect.flatMap(Clock.currentTimeMillis, (now) => {
          const left = session.usedAt + idleMillis - now
          return left > 0
            ? Effect.andThen(Effect.sleep(left), untilIdle(name, session))
            : Effect.sync(() => book.end(name))
        })

      return {
        open: Effect.fnUntraced(function* (beginning) {
          const name = toHex(yield* random.randomBytes(nameBytes))
          const now = yield* Clock.currentTimeMillis
          book.endIdle(now)
          if (!book.makeRoom(beginning)) return undefined
          const { holder, keys } = beginning
          book.keep(name, { keys, holder, usedAt: now, over: Deferred.makeUnsafe() })
          return name
        }),
        find: Effect.fnUntraced(function* (name) {
          const now = yield* Clock.currentTimeMillis
          book.endIdle(now)
          const found = book.find(name)
          if (found === undefined) return undefined
          found.usedAt = now
          book.keep(name, found)
          return {
            keys: found.keys,
            untilOver: Effect.raceFirst(Deferred.await(found.over), untilIdle(name, found))
          }
        }),
        close: (name) => Effect.sync(() => book.end(name))
      }
    })
  )
}
