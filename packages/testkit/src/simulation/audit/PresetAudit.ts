/**
 * Audits presets. The sequential model must be able to give the same answers and reach the stored
 * state.
 */
import { linearize } from "../../model/Linear.ts"
import {
  format,
  holderId,
  isRead,
  type PresetOperation,
  presetModel
} from "../../model/PresetModel.ts"
import { userId } from "../../samples/Ids.ts"
import { type Fact, type FactOf, factsOf, type Violation } from "../record/Facts.ts"

const toOperation = (fact: FactOf<"PresetCalled">): PresetOperation => ({
  invoked: fact.beganAt,
  returned: fact.outcome.is === "unknown" ? Number.POSITIVE_INFINITY : fact.endedAt,
  command: fact.command,
  by: fact.isHolder ? holderId : userId(1),
  outcome: fact.outcome
})

const auditPreset = (
  { answer, at, slug }: FactOf<"PresetKept">,
  calls: ReadonlyArray<FactOf<"PresetCalled">>
): ReadonlyArray<Violation> => {
  const own = calls.filter((fact) => fact.slug === slug || fact.slug === "")
  const last: PresetOperation = {
    ...{ invoked: at, returned: at, command: { _tag: "List" }, by: userId(1) },
    outcome: { is: "answered", answer }
  }
  const known = own.filter(({ command, outcome }) => outcome.is !== "unknown" || !isRead(command))
  const found = linearize(presetModel(slug), [...known.map(toOperation), last])
  if (found._tag !== "NotLinear") return []
  const { command, invoked, outcome } = found.stuck
  const what =
    `${slug}: ${JSON.stringify(command)} at ${invoked} ms was ${JSON.stringify(outcome)}, ` +
    `and the preset was ${format.kept(found.state)}`
  return [{ rule: "commands to a preset take effect one after the other", what }]
}

/** Checks the rules about presets. */
export const auditPresets = (facts: ReadonlyArray<Fact>): ReadonlyArray<Violation> => {
  const calls = factsOf(facts, "PresetCalled")
  return [
    ...factsOf(facts, "PresetKept").flatMap((kept) => auditPreset(kept, calls)),
    ...factsOf(facts, "PresetLeft").map(({ id, rows }) => ({
      rule: "a removed preset leaves no rows",
      what: `${rows} rows are left of ${id}`
    }))
  ]
}
