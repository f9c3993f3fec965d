/** Faults in labels, staged versions, erased content and removed presets. */
import { presetStore } from "./Files.ts"
import { core, type Mutant, memory } from "./Mutant.ts"

const labelTests = ["packages/core/test/domain/preset/LabelChange.test.ts"]
const labelServiceTests = ["packages/core/test/services/Labels.test.ts"]
const housekeepingTests = ["packages/core/test/services/PresetHousekeeping.test.ts"]
const contractTests = ["packages/adapters/test/memory/MemoryStores.test.ts"]

export const labelMutants: ReadonlyArray<Mutant> = [
  {
    fault: "a staged version is designated",
    file: core("domain/preset/PresetDraft.ts"),
    text: "const event = stage ?",
    instead: "const event = stage && at === undefined ?"
  },
  {
    fault: "a label that is taken away stays",
    file: core("domain/preset/Preset.ts"),
    text: "labels: Struct.omit(state.labels, [label])",
    instead: "labels: { ...state.labels, ...Struct.pick(state.labels, [label]) }"
  },
  {
    fault: "the move of a label is not kept",
    file: presetStore,
    text: "if (label !== undefined) listOf",
    instead: "if (label !== undefined && label.revision < 0) listOf"
  },
  {
    fault: "content is erased and kept",
    file: memory("preset/PresetTables.ts"),
    text: "if (erasure === undefined) return",
    instead: "if (erasure === undefined || erasure.version > 0) return"
  },
  {
    fault: "a version without content is designated",
    file: core("domain/preset/PresetChange.ts"),
    text: "if (version.erased !== null)",
    instead: "if (version.erased !== null && version.version < 0)"
  },
  {
    fault: "a version without content is labelled",
    file: core("domain/preset/LabelChange.ts"),
    text: "if (version.erased !== null)",
    instead: "if (version.erased !== null && version.version < 0)"
  },
  {
    fault: "the content of a version that a label points to is erased",
    file: core("domain/preset/PresetHousekeeping.ts"),
    text: "versionId === id)",
    instead: "versionId === id && version < 0)"
  },
  {
    fault: "a key without a list of scopes moves protected labels",
    file: core("domain/workspace/Scope.ts"),
    text: "(scopes === null ? !isLabelScope(scope) : scopes.includes(scope))",
    instead: "(scopes === null || scopes.includes(scope))",
    tests: labelTests
  },
  {
    fault: "a protected label is moved by every management key",
    file: core("domain/preset/LabelChange.ts"),
    text: "if (isProtected) return",
    instead: "if (isProtected && label.length < 0) return",
    tests: labelTests
  },
  {
    fault: "a preset has any number of labels",
    file: core("domain/preset/LabelChange.ts"),
    text: ">= labelMax",
    instead: ">= Number.POSITIVE_INFINITY * labelMax",
    tests: labelTests
  },
  {
    fault: "a label is moved by a decision from before its protection",
    file: presetStore,
    text: "isAnyProtected(tables, { ...stored, labels: freeLabels })",
    instead: "isAnyProtected(tables, { ...stored, labels: freeLabels.slice(1) })",
    tests: labelServiceTests
  },
  {
    fault: "a preset goes with a label that its remover may not remove",
    file: core("services/PresetHousekeeping.ts"),
    text: "yield* takeAll(principal, preset)",
    instead: "yield* Effect.orElseSucceed(takeAll(principal, preset), () => [])",
    tests: labelServiceTests
  },
  {
    fault: "a protected label is taken out of service by a key that may not move it",
    file: core("services/Presets.ts"),
    text: "return isServiceChange(preset, next)",
    instead: "return isServiceChange(preset, next) && at === undefined",
    tests: labelServiceTests
  },
  {
    fault: "a protected label is taken out of service by a decision from before its protection",
    file: core("services/Presets.ts"),
    text: "freeLabels: yield* takeAll(write.principal, preset)",
    instead: "freeLabels: (yield* takeAll(write.principal, preset)).slice(0, 0)",
    tests: labelServiceTests
  },
  {
    fault: "a digest of erased content is kept",
    file: memory("preset/PresetTables.ts"),
    text: 'fingerprint: ""',
    instead: "fingerprint: row.fingerprint",
    tests: contractTests
  },
  {
    fault: "a preset is removed although somebody has restored it",
    file: memory("preset/Removal.ts"),
    text: 'stored.revision !== expectedRevision ||\n      stored._tag !== "Archived" ||',
    instead: "expectedRevision < 0 ||",
    tests: contractTests
  },
  {
    fault: "a staged version is the same request as one that is designated",
    file: core("domain/preset/PresetFingerprint.ts"),
    text: "comment === null && !stage",
    instead: "comment === null || !stage",
    tests: housekeepingTests
  }
]
