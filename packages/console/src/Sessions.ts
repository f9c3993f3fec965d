/**
 * Sessions of the console: a random name in a cookie, and the keys behind it in the memory of this
 * process. A restart forgets all of them. Each key has its own quota: logging in with one key never
 * ends a session of another key.
 */
import { Clock, Context, Deferred, Duration, Effect, Layer, type Redacted } from "effect"
import { SecureRandom } from "effect/crypto"

/** The keys of a session: of a workspace, of an operator, or both. */
export interface Keys {
  readonly workspace?: Redacted.Redacted
  readonly operator?: Redacted.Redacted
}

/** The owner of a session: the key with which it was opened last. */
export interface Owner {
  readonly keyId: string
  /** Null for operators, who share a quota of their own. */
  readonly workspaceId: string | null
}

/** An open session. */
export interface Session {
  readonly keys: Keys
  /**
   * Waits until the session ends: closed, replaced by newer ones of its key, or idle for too long.
   */
  readonly untilEnded: Effect.Effect<void>
}

/** A session to open. */
interface NewSession {
  readonly keys: Keys
  readonly owner: Owner
  /**
   * The name of the browser's previous session, of any workspace: it ends as this one begins and no
   * longer counts. Empty if there is none.
   */
  readonly replaces: string
}

/** A working day: a longer idle time means that the user has left. */
const idleTime = Duration.hours(12)

const idleMillis = Duration.toMillis(idleTime)

/** More browsers than one person has open, or a team that shares a key. */
export const sessionsPerKeyMax = 20

/**
 * Sessions take less than a kilobyte each, and few people look at one workspace. Without this
 * limit, creating and revoking keys could fill the memory.
 */
export const sessionsPerWorkspaceMax = 5_000

const nameBytes = 32

const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex")

interface OpenSession {
  readonly keys: Keys
  readonly owner: Owner
  readonly ended: Deferred.Deferred<void>
  usedAt: number
}

const quotaOf = ({ workspaceId }: Owner): string => workspaceId ?? "operators"

/** The open sessions of this process by name. */
const makeRegistry = () => {
  // In order of last use, the oldest first.
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

  /** The sessions with the oldest use come first. */
  const endIdle = (now: number): void => {
    for (const [name, { usedAt }] of open) {
      if (now - usedAt < idleMillis) return
      end(name)
    }
  }

  /**
   * Ends what must end to make space for one more session: the one that it replaces, and the oldest
   * of a key that has its maximum. Returns false, and ends nothing, if that is not enough.
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
    /** Opens a session and returns its name; undefined if the workspace has its maximum. */
    readonly open: (beginning: NewSession) => Effect.Effect<string | undefined>
    /** Returns an open session and restarts its idle time. */
    readonly find: (name: string) => Effect.Effect<Session | undefined>
    readonly close: (name: string) => Effect.Effect<void>
  }
>()("@verbatim/console/Sessions") {
  /** Sessions of this process only. */
  static readonly layer: Layer.Layer<Sessions, never, SecureRandom.SecureRandom> = Layer.effect(
    Sessions,
    Effect.gen(function* () {
      const random = yield* SecureRandom.SecureRandom
      const registry = makeRegistry()

      /** Waits until a session has been idle for too long, and ends it. */
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
          const now = yield* Clock.currentTimeMillis
          registry.endIdle(now)
          if (!registry.admit(beginning)) return undefined
          const { owner, keys } = beginning
          registry.keep(name, { keys, owner, usedAt: now, ended: Deferred.makeUnsafe() })
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
            keys: found.keys,
            untilEnded: Effect.raceFirst(Deferred.await(found.ended), untilIdle(name, found))
          }
        }),
        close: (name) => Effect.sync(() => registry.end(name))
      }
    })
  )
}
