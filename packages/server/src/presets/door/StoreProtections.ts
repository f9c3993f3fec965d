/**
 * The protected labels of a workspace in a database on this machine. Whoever has the database is an
 * operator, who decides on protection; a key that is given decides as it does over HTTP.
 */
import { ApiKeys, Presets } from "@verbatim/core/services"
import {
  type ApiKey,
  hasLabelScope,
  isValidAt,
  mayManageKeys,
  type Principal
} from "@verbatim/core/workspace"
import { DateTime, Effect } from "effect"
import type { PresetDoor } from "./PresetDoor.ts"
import { refuse } from "./StoreRefusals.ts"

type Methods = Pick<PresetDoor["Service"], "protect" | "protections" | "unprotect">

const toMover = ({ hint, id, name }: ApiKey) => ({ id, hint, name })

/** Makes the methods; a principal without a key is whoever has the database. */
export const makeProtections = Effect.fnUntraced(function* (principal: Principal) {
  const presets = yield* Presets
  const apiKeys = yield* ApiKeys
  const { keyId, kind, scopes = null, workspaceId } = principal
  const by = keyId === undefined ? { kind: "operator" as const, workspaceId } : principal

  const validKeys = Effect.gen(function* () {
    const now = yield* DateTime.now
    const keys = yield* apiKeys.keys(workspaceId)
    return keys.filter((key) => isValidAt(key, now))
  })

  const protections = Effect.gen(function* () {
    const labels = yield* presets.protectedLabels(principal)
    const keys = mayManageKeys({ kind, scopes }) ? yield* validKeys : undefined
    return labels.map(({ at, by: user, label }) => ({
      label,
      by: user,
      since: DateTime.formatIso(at),
      movers: keys?.filter((key) => hasLabelScope(key, label)).map(toMover) ?? null
    }))
  })

  const methods: Methods = {
    protections: protections.pipe(refuse),
    protect: (label) => presets.protectLabel({ by, label }).pipe(refuse),
    unprotect: (label) => presets.unprotectLabel({ by, label }).pipe(refuse)
  }
  return methods
})
