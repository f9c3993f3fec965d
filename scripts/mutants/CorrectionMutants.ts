/** Faults in corrections: in the overlay, in what is read through it, and in who may write it. */
import { core, type Mutant, memory, sql } from "./Mutant.ts"

const lawTests = ["packages/core/test/domain/machine/laws.test.ts"]
const contractTests = ["packages/adapters/test/memory/MemoryStores.test.ts"]
const raceTests = ["packages/adapters/test/memory/MemoryCorrections.test.ts"]
const wireTests = ["packages/http/test/transcription/Corrections.test.ts"]

const boundTests = ["packages/core/test/domain/correction/CorrectionBounds.test.ts"]
const asideTests = ["packages/adapters/test/sqlite/SqliteSetAside.test.ts"]
const storeTests = ["packages/adapters/test/sqlite/SqliteStores.test.ts"]

const overlay = core("domain/correction/Overlay.ts")
const corrected = core("domain/correction/CorrectedTranscript.ts")
const decision = core("domain/correction/CorrectionDecision.ts")
const wishes = core("domain/correction/CorrectionWishes.ts")
const changes = core("services/CorrectionChanges.ts")
const aside = sql("job/CorrectionsAside.ts")

export const correctionMutants: ReadonlyArray<Mutant> = [
  {
    fault: "a name that was taken away stays in the overlay",
    file: overlay,
    text: "speakers: [...speakers.values()].filter(isNamed).sort(bySpeaker)",
    instead: "speakers: [...speakers.values()].sort(bySpeaker)",
    tests: lawTests
  },
  {
    fault: "going back leaves segments corrected that were not",
    file: overlay,
    text: "new Set([...segmentsBefore.keys(), ...segmentsAfter.keys()])",
    instead: "new Set([...segmentsAfter.keys()])",
    tests: lawTests
  },
  {
    fault: "a part is read as if it were the first",
    file: corrected,
    text: "const reading = next === index ?",
    instead: "const reading = next === index - before ?",
    tests: lawTests
  },
  {
    fault: "a corrected text keeps the words of the recognised one",
    file: corrected,
    text: "...(isSaid && words !== undefined ? { words } : {})",
    instead: "...(words !== undefined ? { words } : {})",
    tests: lawTests
  },
  {
    fault: "the word after an emptied segment goes on with the one before it",
    file: corrected,
    text: "isSpacePassed = isBlank(reading)",
    instead: "isSpacePassed = false",
    tests: lawTests
  },
  {
    fault: "the first segment of a part goes on with a word that is gone",
    file: corrected,
    text: "let place = placeOf(readings, before - 1)",
    instead: "let place = placeOf(readings, before)",
    tests: lawTests
  },
  {
    fault: "a change that fills the corrections cannot be undone",
    file: decision,
    text: "(isBack ? written : written + keptLength) > writtenMax",
    instead: "written + keptLength > writtenMax",
    tests: boundTests
  },
  {
    fault: "the versions of corrections grow without an end",
    file: decision,
    text: 'if (wish._tag === "GoBack" && isEmpty(wish.overlay)) return true',
    instead: 'if (wish._tag === "GoBack") return true',
    tests: boundTests
  },
  {
    fault: "what is corrected stays where there is no room to put it back",
    file: decision,
    text: "if (!isUndoing(overlayOf(state), change)) return false",
    instead: "if (change.segments.length >= 0) return false",
    tests: boundTests
  },
  {
    fault: "a text is written anew beside one that is put back, where there is no room",
    file: overlay,
    text: "const isTextSo = text === null || text === earlier?.text",
    instead: "const isTextSo = text === null || text !== earlier?.text",
    tests: boundTests
  },
  {
    fault: "names are taken away one by one without an end",
    file: decision,
    text: "writtenLengthOf(state) <= unnamedLengthMax(state.outline)",
    instead: "writtenLengthOf(state) >= 0",
    tests: boundTests
  },
  {
    fault: "a correction that changes nothing makes a version",
    file: decision,
    text: "if (isEmpty(change)) return Result.succeed(Option.none())",
    instead: "if (versionOf(state) < 0) return Result.succeed(Option.none())",
    tests: wireTests
  },
  {
    fault: "a text that is not mentioned is put back",
    file: wishes,
    text: "text: text === undefined ? (earlier?.text ?? null) : text",
    instead: "text: text === undefined ? null : text",
    tests: ["packages/core/test/domain/correction/CorrectionWishes.test.ts"]
  },
  {
    fault: "a correction is made on another version than the caller saw",
    file: changes,
    text: 'if (match !== "any" && !match.includes(String(versionOf(state)))) {',
    instead: 'if (match !== "any" && match.length === 0) {',
    tests: wireTests
  },
  {
    fault: "a version is written over another one",
    file: memory("MemoryCorrectionStore.ts"),
    text: 'if (versions.length !== version.version - 1) return refusal("Superseded")',
    instead: 'if (versions.length < version.version - 1) return refusal("Superseded")',
    tests: contractTests
  },
  {
    fault: "corrections stay when their transcript goes",
    file: memory("MemoryJobStore.ts"),
    text: "corrections: isForgotten ? undefined : row.corrections",
    instead: "corrections: row.corrections",
    tests: contractTests
  },
  {
    fault: "each part of a long transcript is read through the corrections of its moment",
    file: core("services/Transcripts.ts"),
    text: "const correct = makeCorrector(yield* overlayOf(id))",
    instead: "const correct = makeCorrector(noCorrections)",
    tests: raceTests
  },
  {
    fault: "corrections that are set aside are still read",
    file: aside,
    text: `sql\`verbatim_corrections.job_id = \${id} AND verbatim_corrections.ordinal = \${firstPiece}\``,
    instead: `sql\`corrections.job_id = \${id}\``,
    tests: storeTests
  },
  {
    fault: "a job that is removed stays where files without a job are looked for",
    file: aside,
    text: `sql\`jobs.workspace_id <> \${removedWorkspace}\``,
    instead: `sql\`jobs.workspace_id <> ''\``,
    tests: storeTests
  },
  {
    fault: "the row of a removed job stays when its corrections are swept",
    file: aside,
    text: `DELETE FROM verbatim_jobs WHERE id = \${id} AND workspace_id = \${removedWorkspace}\``,
    instead: `DELETE FROM verbatim_jobs WHERE id = \${id} AND workspace_id = ''\``,
    tests: asideTests
  },
  {
    fault: "all versions go by one statement, with all that they changed",
    file: aside,
    text: "if (deleted.length === rowMax) return",
    instead: "if (deleted.length > rowMax) return",
    tests: asideTests
  },
  {
    fault: "versions are told that are no part of what is told",
    file: core("services/Corrections.ts"),
    text: "Option.some(Math.min(asked, end))",
    instead: "asked === end ? Option.none() : Option.some(asked)",
    tests: ["packages/core/test/services/Corrections.test.ts"]
  },
  {
    fault: "a correction that comes again is known by the clock of its process",
    file: core("services/CorrectionChanges.ts"),
    text: "isCurrentKey(at, yield* jobs.now)",
    instead:
      'isCurrentKey(at, yield* Effect.flatMap(Effect.promise(() => import("effect")), ' +
      "({ DateTime }) => DateTime.now))",
    tests: ["packages/core/test/services/Corrections.test.ts"]
  }
]
