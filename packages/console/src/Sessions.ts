/**
 * The console's sessions: each session has a random name, stored in a cookie, and its keys are in
 * this process's memory. A restart ends all sessions. Each key has a separate quota, so a login
 * with one key never ends another key's session.
 */
import { Clock, Context, Deferred, Duration, Effect, Layer, type Redacted } from "effect"
import { SecureRandom } from "effect/crypto"

/** A session's keys: a workspace key, an operator key, or both. */
export interface Keys {
  readonly workspace?: Redacted.Redacted
  readonly operator?: Redacted.Redacted
}

/** A session's owner, which is the key that last opened the session. */
export interface Owner {
  readonly keyId: string
  /** The workspace whose quota applies. Null for operators, who share a separate quota. */
  readonly workspaceId: string | null
}

export interface Session {
  /** Identifies the session, and gives no access to it. */
  readonly id: string
  readonly keys: Keys
  /**
   * Waits until the session ends because it is closed, replaced by a newer session for its key, or
   * idle for too long.
   */
  readonly untilEnded: Effect.Effect<void>
}

interface NewSession {
  readonly keys: Keys
  readonly owner: Owner
  /**
   * The name of the browser's previous session in any workspace, or empty without a previous
   * session. The previous session ends when the new one begins, and does not count against the
   * quota.
   */
  readonly replaces: string
}

/** The maximum idle time is a working day, because a user who is idle for longer has left. */
const idleTime = Duration.hours(12)

const idleMillis = Duration.toMillis(idleTime)

/**
 * Maximum number of sessions per key. A single user, or a team that shares a key, uses fewer
 * browsers.
 */
export const sessionsPerKeyMax = 20

/**
 * Maximum number of sessions per workspace. A session takes less than a kilobyte, and few people
 * use the console for the same workspace. Without a limit, a caller could exhaust memory by
 * creating and revoking keys.
 */
export const sessionsPerWorkspaceMax = 5_000

const nameBytes = 32

const idBytes = 8

const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex")

interface OpenSession {
  readonly id: string
  readonly keys: Keys
  readonly owner: Owner
  readonly ended: Deferred.Deferred<void>
  usedAt: number
}

const quotaOf = ({ workspaceId }: Owner): string => workspaceId ?? "operators"

/** This process's open sessions, keyed by name. */
const makeRegistry = () => {
  // The sessions are ordered by their last use, oldest first.
  const open = new Map<string, OpenSession>()

  const end = (name: string): void => {
    const found = open.get(name)
    if (found === undefined) return
    open.delete(name)
    Deferred.doneUnsafe(found.ended, Effect.void)
  }

  const keep = (name: string, session: OpenSession): void => {
    open.delete(name)
    open.set(name, session)
  }

  /**
   * Ends idle sessions. The least recently used session comes first, so the search stops at the
   * first session that is still active.
   */
  const endIdle = (now: number): void => {
    for (const [name, { usedAt }] of open) {
      if (now - usedAt < idleMillis) return
      end(name)
    }
  }

  /**
   * Frees quota for one more session by ending the session that the new session replaces and, if
   * the key has the maximum number of sessions, the key's oldest session. If that is not enough,
   * ends no session and returns false.
   */
  const admit = ({ owner, replaces }: NewSession): boolean => {
    const others = [...open].filter(([name]) => name !== replaces)
    const ofKey = others.filter(([, each]) => each.owner.keyId === owner.keyId)
    const ofQuota = others.filter(([, each]) => quotaOf(each.owner) === quotaOf(owner))
    const [oldest] = ofKey.length >= sessionsPerKeyMax ? (ofKey[0] ?? []) : []
    if (ofQuota.length >= sessionsPerWorkspaceMax && oldest === undefined) return false
    end(replaces)
    if (oldest !== undefined) end(oldest)
    return true
  }

  return { end, endIdle, find: (name: string) => open.get(name), keep, admit }
}

export class Sessions extends Context.Service<
  Sessions,
  {
    /**
     * Opens a session and returns its secret name, or undefined if the workspace already has the
     * maximum number of sessions.
     */
    readonly open: (beginning: NewSession) => Effect.Effect<string | undefined>
    /** Returns an open session, and restarts its idle timer. */
    readonly find: (name: string) => Effect.Effect<Session | undefined>
    readonly close: (name: string) => Effect.Effect<void>
  }
>()("@verbatim/console/Sessions") {
  /** The sessions of one process, kept in its memory. */
  static readonly layer: Layer.Layer<Sessions, never, SecureRandom.SecureRandom> = Layer.effect(
    Sessions,
    Effect.gen(function* () {
      const random = yield* SecureRandom.SecureRandom
      const registry = makeRegistry()

      /** Waits until a session has been idle for too long, and then ends the session. */
      const untilIdle = (name: string, session: OpenSession): Effect.Effect<void> =>
        Effect.flatMap(Clock.currentTimeMillis, (now) => {
          const left = session.usedAt + idleMillis - now
          return left > 0
            ? Effect.andThen(Effect.sleep(left), untilIdle(name, session))
            : Effect.sync(() => registry.end(name))
        })

      return {
        open: Effect.fnUntraced(function* (beginning) {
          const name = toHex(yield* random.randomBytes(nameBytes))
          const id = toHex(yield* random.randomBytes(idBytes))
          const now = yield* Clock.currentTimeMillis
          registry.endIdle(now)
          if (!registry.admit(beginning)) return undefined
          const { owner, keys } = beginning
          registry.keep(name, { id, keys, owner, usedAt: now, ended: Deferred.makeUnsafe() })
          return name
        }),
        find: Effect.fnUntraced(function* (name) {
          const now = yield* Clock.currentTimeMillis
          registry.endIdle(now)
          const found = registry.find(name)
          if (found === undefined) return undefined
          found.usedAt = now
          registry.keep(name, found)
          return {
            id: found.id,
            keys: found.keys,
            untilEnded: Effect.raceFirst(Deferred.await(found.ended), untilIdle(name, found))
          }
        }),
        close: (name) => Effect.sync(() => registry.end(name))
      }
    })
  )
}
