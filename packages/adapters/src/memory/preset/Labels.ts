/** Moves and protects labels in memory. */
import {
  type Page,
  type PresetStore,
  PresetStoreError,
  type Protection
} from "@verbatim/core/ports"
import {
  type LabelMove,
  type PresetId,
  type PresetVersion,
  type ProtectedLabel,
  protectedLabelMax
} from "@verbatim/core/preset"
import type { LabelName, WorkspaceId } from "@verbatim/core/workspace"
import { DateTime, Effect, Option } from "effect"
import type { Tables } from "../MemoryDatabase.ts"
import { pageOf } from "./PresetTables.ts"

type Store = PresetStore["Service"]

/** Returns a workspace's protected labels. */
const protectedIn = (
  { protectedLabels }: Pick<Tables, "protectedLabels">,
  workspaceId: WorkspaceId
): ReadonlyArray<ProtectedLabel> => protectedLabels.get(workspaceId) ?? []

/** Whether one of these labels is protected. */
export const isAnyProtected = (
  tables: Pick<Tables, "protectedLabels">,
  {
    labels,
    workspaceId
  }: { readonly workspaceId: WorkspaceId; readonly labels: ReadonlyArray<LabelName> }
): boolean => protectedIn(tables, workspaceId).some(({ label }) => labels.includes(label))

const byName = (one: ProtectedLabel, other: ProtectedLabel): number =>
  one.label < other.label ? -1 : 1

/** The store's methods for label moves. */
export const moveMethods = ({
  labelMoves,
  versions
}: Tables): Pick<Store, "labelledAt" | "labelMoveCount" | "labelMoves"> => {
  const movesOf = (id: PresetId, label: LabelName): ReadonlyArray<LabelMove> =>
    (labelMoves.get(id) ?? []).filter((move) => move.label === label)
  return {
    labelMoves: (id: PresetId, { label, ...page }: Page & { readonly label: LabelName }) =>
      Effect.sync(() => pageOf(movesOf(id, label), page)),
    labelMoveCount: (id: PresetId, label: LabelName) =>
      Effect.sync(() => movesOf(id, label).length),
    labelledAt: (
      id: PresetId,
      { at, label }: { readonly label: LabelName; readonly at: DateTime.Utc }
    ) =>
      Effect.sync((): Option.Option<PresetVersion> => {
        const last = movesOf(id, label).findLast((move) =>
          DateTime.isLessThanOrEqualTo(move.at, at)
        )
        return last === undefined || last.to === null
          ? Option.none()
          : Option.fromUndefinedOr(versions.get(id)?.[last.to - 1])
      })
  }
}

/** The store's methods for protected labels. */
export const protectionMethods = (
  tables: Tables
): Pick<Store, "protect" | "protectedLabels" | "unprotect"> => ({
  protectedLabels: (workspaceId: WorkspaceId) =>
    Effect.sync(() => protectedIn(tables, workspaceId)),
  protect: Effect.fnUntraced(function* ({ workspaceId, ...wanted }: Protection) {
    const refuse = (reason: PresetStoreError["reason"]) =>
      new PresetStoreError({ operation: "protect", reason })
    if (!tables.accounts.has(workspaceId)) return yield* refuse({ _tag: "WorkspaceMissing" })
    const known = protectedIn(tables, workspaceId)
    if (known.some(({ label }) => label === wanted.label)) return
    if (known.length >= protectedLabelMax) return yield* refuse({ _tag: "Full" })
    tables.protectedLabels.set(workspaceId, [...known, wanted].sort(byName))
  }),
  unprotect: (workspaceId: WorkspaceId, label: LabelName) =>
    Effect.sync(() => {
      const remaining = protectedIn(tables, workspaceId).filter((each) => each.label !== label)
      tables.protectedLabels.set(workspaceId, remaining)
    })
})
