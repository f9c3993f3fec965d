/** Whose something is: the host's own names of workspaces and users, as Verbatim knows them. */
import { HostsTransaction } from "@verbatim/core/ports"
import { Usage, Workspaces } from "@verbatim/core/services"
import { type Principal, toUserId, type UsageBy, WorkspaceId } from "@verbatim/core/workspace"
import { Clock, DateTime, Duration, Effect, Schema } from "effect"
import { Digest } from "effect/crypto"
import { InvalidInput } from "../Errors.ts"
import type { Owner } from "../view/Job.ts"
import { isKept } from "./Kept.ts"

/** The host's name for a workspace, or one that Verbatim gave, such as the `workspace` of a job. */
export type WorkspaceReference = string | Pick<Owner, "id">

/** Who asks. */
export interface Asker {
  /** Default: a workspace named `default`. It is made when it is first named. */
  readonly workspace?: WorkspaceReference | undefined
  /** The host's name for the user. Default: the first user of the workspace. */
  readonly user?: string | undefined
}

const usualName = "default"

/** How long a name stands for the same workspace here, when another process deletes it. */
const knownFor = Duration.toMillis(Duration.minutes(1))

/** Names that are remembered; more are looked up again. */
const knownMax = 10_000

/** As many characters as an external id of the API may have. */
const nameMax = 255

interface Known {
  readonly owner: Owner
  readonly principal: Principal
  readonly at: number
}

const decodeWorkspaceId = Schema.decodeUnknownOption(WorkspaceId)

const wrong = (message: string) => new InvalidInput({ code: "InvalidWorkspace", message })

const encoder = new TextEncoder()

const isName = (name: string): boolean => isKept(name) && name !== "" && name.length <= nameMax

const idOf = (reference: unknown): unknown =>
  typeof reference === "object" && reference !== null ? Reflect.get(reference, "id") : undefined

/** Adds to a map that forgets the oldest. */
const remember = <A>(map: Map<string, A>, key: string, value: A): A => {
  map.delete(key)
  map.set(key, value)
  const [oldest] = map.size > knownMax ? map.keys() : []
  if (oldest !== undefined) map.delete(oldest)
  return value
}

/** Makes the look-up of a process. */
export const makeOwners = Effect.fnUntraced(function* (openingMinutes: number) {
  const workspaces = yield* Workspaces
  const digest = yield* Digest.Digest
  const named = new Map<string, Known>()
  const owners = new Map<string, Owner>()

  const fromWorkspace = (
    workspace: { readonly id: WorkspaceId; readonly firstUserId: Principal["userId"] },
    name: string | null,
    at: number
  ): Known => {
    const owner = remember(owners, workspace.id, { id: workspace.id, name })
    const principal = {
      kind: "management" as const,
      workspaceId: workspace.id,
      userId: workspace.firstUserId
    }
    return { owner, principal, at }
  }

  /** A workspace begins with its minutes: the credit has the id of the workspace, so it is one. */
  const ensure = Effect.fnUntraced(function* (name: string) {
    const at = yield* Clock.currentTimeMillis
    const known = named.get(name)
    if (known !== undefined && at - known.at < knownFor) return known
    if (!isName(name)) {
      const rule = `1 to ${nameMax} characters, without NUL or a lone surrogate`
      return yield* Effect.fail(wrong(`a workspace has a name of ${rule}`))
    }
    const workspace = yield* workspaces.ensure(name)
    if (known?.principal.workspaceId !== workspace.id) {
      yield* workspaces.credit(workspace.id, { minutes: openingMinutes, creditId: workspace.id })
    }
    // What a transaction of the host has made may be rolled back.
    if (yield* HostsTransaction) return fromWorkspace(workspace, name, at)
    return remember(named, name, fromWorkspace(workspace, name, at))
  })

  const byId = Effect.fnUntraced(function* (given: unknown) {
    const id = decodeWorkspaceId(given)
    if (id._tag === "None") return yield* Effect.fail(wrong("no workspace has an id like that"))
    const { workspace } = yield* workspaces.account(id.value)
    return fromWorkspace(workspace, workspace.externalId, yield* Clock.currentTimeMillis)
  })

  const userOf = Effect.fnUntraced(function* (workspaceId: WorkspaceId, user: string) {
    return toUserId(
      yield* digest.digestHex(Digest.sha256, encoder.encode(`${workspaceId}/${user}`))
    )
  })

  /** Whom a host speaks for. */
  const find = Effect.fnUntraced(function* ({ user, workspace = usualName }: Asker) {
    const known: Known = yield* typeof workspace === "string"
      ? ensure(workspace)
      : byId(idOf(workspace))
    if (user === undefined) return known
    if (!isKept(user)) {
      return yield* Effect.fail(wrong("a user has a name without NUL or a lone surrogate"))
    }
    const userId = yield* userOf(known.principal.workspaceId, user)
    const principal: Principal = { ...known.principal, userId }
    return { ...known, principal }
  })

  /** Whose a job is that was found by itself. A name never changes. */
  const ownerOf = (id: WorkspaceId): Effect.Effect<Owner> => {
    const known = owners.get(id)
    if (known !== undefined) return Effect.succeed(known)
    return byId(id).pipe(
      Effect.map(({ owner }) => owner),
      Effect.orElseSucceed(() => ({ id, name: null }))
    )
  }

  /** Its name may stand for a new one from now on. */
  const forget = (id: string): Effect.Effect<void> =>
    Effect.sync(() => {
      const name = owners.get(id)?.name
      if (typeof name === "string") named.delete(name)
    })

  return { find, forget, ownerOf }
})

/** The look-up of a process. */
export type Owners = Effect.Success<ReturnType<typeof makeOwners>>

/** What was used, by day or by key. */
export interface UsageRow {
  /** The day in UTC as `2026-11-23`; null where rows are about keys. */
  readonly day: string | null
  readonly keyId: string | null
  readonly chargedMillis: number
  readonly creditedMillis: number
  readonly jobs: number
}

/** Which time is meant: from its first instant up to and without its last. */
export interface UsageWanted {
  readonly from: Date
  readonly to: Date
  readonly by: Exclude<UsageBy, "workspace">
}

/** Rows that are read at once; a year of days is fewer. */
const rowMax = 1_000

const dayLength = 86_400_000

/** Sums what a workspace used. */
export const usageOf = Effect.fnUntraced(function* (
  { workspaceId }: Principal,
  { by, from, to }: UsageWanted
) {
  const usage = yield* Usage
  const time = { from: DateTime.makeUnsafe(from), to: DateTime.makeUnsafe(to) }
  const page = { ...time, workspaceId, by, after: null, limit: rowMax }
  const rows = yield* usage.read(page)
  return rows.map(
    ({ chargedMillis, creditedMillis, day, jobs, keyId }): UsageRow => ({
      day: day === null ? null : new Date(day * dayLength).toISOString().slice(0, 10),
      keyId,
      chargedMillis,
      creditedMillis,
      jobs
    })
  )
})
