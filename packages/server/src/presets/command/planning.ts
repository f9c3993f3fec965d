/**
 * What `plan` and `apply` share: the files, what they were when the workspace last agreed with
 * them, and the plan.
 */
import { Effect, Option } from "effect"
import { Flag } from "effect/cli"
import { apiFlags } from "../../command/ApiFlags.ts"
import { Misuse } from "../../command/Refusal.ts"
import { makeSwitch } from "../../command/SwitchFlag.ts"
import { readFolder } from "../file/PresetFolder.ts"
import { findWorkspaceId } from "../PresetCalls.ts"
import { expectEarlier, expectOlder, planAll } from "../plan/Planned.ts"
import { readSeen } from "../plan/SeenPresets.ts"
import { folderFlag, labelFlag } from "./ReferenceArgument.ts"

/** The flags of both. */
export const planFlags = {
  dir: folderFlag,
  base: Flag.String("base").pipe(
    Flag.withDescription(
      "Folder with the files as they were last applied, as an older commit has them: whoever " +
        "changed a preset elsewhere since is found out"
    ),
    Flag.optional
  ),
  label: labelFlag,
  prune: makeSwitch("prune", "Archive presets that have no file"),
  ...apiFlags
}

/** What they say about the plan. */
export interface PlanWish {
  readonly dir: string
  readonly base: Option.Option<string>
  readonly label: string | null
  readonly prune: boolean
}

/** What is expected of each preset, from the files of an earlier time or from what was seen. */
const readExpectations = Effect.fnUntraced(function* (
  { base, dir, label }: PlanWish,
  workspaceId: string | null
) {
  if (Option.isSome(base)) return expectOlder(yield* readFolder(base.value))
  if (workspaceId === null) return () => undefined
  return expectEarlier(yield* readSeen(dir, { workspaceId, label }))
})

/** Plans for a folder; and the workspace, where it is known. */
export const planFolder = Effect.fnUntraced(function* (wish: PlanWish) {
  const { dir, label, prune } = wish
  if (prune && label !== null) {
    return yield* new Misuse({ sentence: "Labels are not pruned: leave out --prune." })
  }
  const filed = yield* readFolder(dir)
  if (prune && filed.size === 0) {
    const sentence = `There is no file in ${dir}: --prune would archive every preset.`
    return yield* new Misuse({ sentence })
  }
  const workspaceId = yield* findWorkspaceId
  const expect = yield* readExpectations(wish, workspaceId)
  const planned = yield* planAll({ filed, label, prune, expect })
  return { ...planned, workspaceId }
})
