/** Finds workspaces and users by the host's names for them. */
import { InHostTransaction } from "@verbatim/core/ports"
import { WorkspaceNotFound, Workspaces } from "@verbatim/core/services"
import { limitsOf, type Principal, toUserId, WorkspaceId } from "@verbatim/core/workspace"
import { Clock, Data, Duration, Effect, Schema } from "effect"
import { Digest } from "effect/crypto"
import type { Member } from "../Options.ts"

const defaultName = "default"

/** The time for which a name stays cached after another process has deleted its workspace. */
const cachedFor = Duration.toMillis(Duration.minutes(1))

/** Maximum number of cached names. Other names are looked up for each request. */
const cachedMax = 10_000

/** The API's maximum length of an external id. */
const nameMax = 255

interface CachedOwner {
  readonly principal: Principal
  readonly at: number
}

/** Reports that a workspace or a user has an invalid name. */
export class InvalidName extends Data.TaggedError("InvalidName")<{ readonly message: string }> {}

const decodeWorkspaceId = Schema.decodeUnknownOption(WorkspaceId)

/** Whether a value is a valid workspace id. */
export const isWorkspaceId = Schema.is(WorkspaceId)

const invalidName = (message: string) => new InvalidName({ message })

const encoder = new TextEncoder()

/**
 * Whether every database stores a string unchanged. Without this check, two different names could
 * become identical.
 */
export const isStorable = (text: unknown): text is string =>
  typeof text === "string" && text.isWellFormed() && !text.includes("\0")

/** The rule for workspace names, as error messages state it. */
export const nameRule = `1 to ${nameMax} characters, without NUL or a lone surrogate`

/** Whether a value is a valid workspace name. */
export const isWorkspaceName = (name: unknown): boolean =>
  isStorable(name) && name !== "" && name.length <= nameMax

const idOf = (reference: unknown): unknown =>
  typeof reference === "object" && reference !== null ? Reflect.get(reference, "id") : undefined

/** Adds an entry to a cache, and evicts the oldest entry if the cache is full. */
const remember = <A>(map: Map<string, A>, key: string, value: A): A => {
  map.delete(key)
  map.set(key, value)
  const [oldest] = map.size > cachedMax ? map.keys() : []
  if (oldest !== undefined) map.delete(oldest)
  return value
}

const fromWorkspace = (
  workspace: { readonly id: WorkspaceId; readonly firstUserId: Principal["userId"] },
  at: number
): CachedOwner => ({
  principal: { kind: "management", workspaceId: workspace.id, userId: workspace.firstUserId },
  at
})

const findById = Effect.fnUntraced(function* (workspaces: Workspaces["Service"], given: unknown) {
  const id = decodeWorkspaceId(given)
  if (id._tag === "None") return yield* Effect.fail(invalidName("this is not a workspace id"))
  const { workspace } = yield* workspaces.account(id.value)
  return fromWorkspace(workspace, yield* Clock.currentTimeMillis)
})

/** Adds the workspace's limits to a principal. Fails if the workspace was deleted. */
const readPrincipal = Effect.fnUntraced(function* (
  workspaces: Workspaces["Service"],
  principal: Principal
) {
  const { workspace } = yield* workspaces.account(principal.workspaceId)
  const isDeleted = workspace._tag === "Deleting" || workspace._tag === "Deleted"
  if (isDeleted) return yield* new WorkspaceNotFound({ id: workspace.id })
  // A disabled workspace gets no limits here, because its callers are refused later, as they would
  // be with a key.
  if (workspace._tag !== "Active") return principal
  return { ...principal, workspaceLimits: limitsOf(workspace) }
})

/** Creates the lookup for one process. */
export const makeOwnerLookup = Effect.fnUntraced(function* (initialMinutes: number) {
  const workspaces = yield* Workspaces
  const digest = yield* Digest.Digest
  const named = new Map<string, CachedOwner>()

  /**
   * Finds or creates a workspace. The credit has the workspace's id, so a new workspace gets its
   * initial minutes only once.
   */
  const ensure = Effect.fnUntraced(function* (name: string) {
    const at = yield* Clock.currentTimeMillis
    const known = named.get(name)
    if (known !== undefined && at - known.at < cachedFor) return known
    if (!isWorkspaceName(name)) {
      return yield* Effect.fail(invalidName(`a workspace name has ${nameRule}`))
    }
    const workspace = yield* workspaces.ensure(name)
    if (known?.principal.workspaceId !== workspace.id) {
      yield* workspaces.credit(workspace.id, { minutes: initialMinutes, creditId: workspace.id })
    }
    // The result is not cached, because the host may roll back its transaction.
    if (yield* InHostTransaction) return fromWorkspace(workspace, at)
    return remember(named, name, fromWorkspace(workspace, at))
  })

  /**
   * Checks that no other process has deleted the workspace. The name of a deleted workspace belongs
   * to a new workspace.
   */
  const confirm = ({ principal }: CachedOwner, workspace: string | { readonly id: string }) => {
    const read = readPrincipal(workspaces, principal)
    if (typeof workspace !== "string") return read
    return Effect.catchTag(read, "WorkspaceNotFound", () => {
      named.delete(workspace)
      return Effect.map(ensure(workspace), (made) => made.principal)
    })
  }

  /** Finds the principal of a user in a workspace. */
  const find = Effect.fnUntraced(function* ({ user, workspace = defaultName }: Member) {
    const known: CachedOwner = yield* typeof workspace === "string"
      ? ensure(workspace)
      : findById(workspaces, idOf(workspace))
    const principal = yield* confirm(known, workspace)
    if (user === undefined) return principal
    if (!isStorable(user)) {
      return yield* Effect.fail(invalidName("a user name must not contain NUL or a lone surrogate"))
    }
    const text = encoder.encode(`${principal.workspaceId}/${user}`)
    return { ...principal, userId: toUserId(yield* digest.digestHex(Digest.sha256, text)) }
  })

  return { find }
})

/** The lookup that `makeOwnerLookup` creates, and that all requests in a process share. */
export type OwnerLookup = Effect.Success<ReturnType<typeof makeOwnerLookup>>
