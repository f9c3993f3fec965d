/**
 * When the content of a version may be erased, and when a preset may be removed.
 */
import { type DateTime, Result } from "effect"
import type { IllegalTransition } from "../machine/Machine.ts"
import type { UserId } from "../workspace/Workspace.ts"
import { Event, type State, transition } from "./Preset.ts"
import { statuses } from "./PresetChange.ts"
import { listLabels } from "./PresetLabels.ts"
import { PresetNotArchived, VersionInUse } from "./PresetRefusal.ts"
import type { PresetVersion } from "./PresetVersion.ts"

/** The preset after the content of a version was erased; the same one when it is gone already. */
export const applyErasure = (
  preset: State,
  {
    at,
    by,
    version: { erased, id, version }
  }: { readonly version: PresetVersion; readonly by: UserId; readonly at: DateTime.Utc }
): Result.Result<State, IllegalTransition | VersionInUse> => {
  if (erased !== null) return Result.succeed(preset)
  const { designatedVersionId, labels, slug } = preset
  if (designatedVersionId === id) {
    return Result.fail(new VersionInUse({ slug, version, label: null }))
  }
  const pointer = listLabels(labels).find(({ versionId }) => versionId === id)
  return pointer === undefined
    ? transition(preset, Event.cases.ContentErased.make({ at, version, by }))
    : Result.fail(new VersionInUse({ slug, version, label: pointer.name }))
}

/** Why a preset may not be removed; undefined when it may. */
export const judgeRemoval = (preset: State): PresetNotArchived | undefined =>
  preset._tag === "Archived"
    ? undefined
    : new PresetNotArchived({ slug: preset.slug, status: statuses[preset._tag] })
