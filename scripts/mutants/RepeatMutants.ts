/** Faults in what makes a repeated write count once: keys, ids of writes, lost answers. */
import { apiKeys, creations, lostAnswer, presetStore, workspaceStore, workspaces } from "./Files.ts"
import { core, type Mutant } from "./Mutant.ts"

const repeatsTest = "packages/core/test/services/Repeats.test.ts"

export const repeatMutants: ReadonlyArray<Mutant> = [
  {
    fault: "the key of a preset is written down and not looked at",
    file: presetStore,
    text: "Option.exists(requestKey, (key) => Option.isSome(recordOf(key, now)))",
    instead: "Option.exists(requestKey, (key) => Option.isNone(recordOf(key, now)) && false)"
  },
  {
    fault: "the key of a preset stands for any request",
    file: creations,
    text: "yield* isSame(fingerprint)",
    instead: 'fingerprint !== ""'
  },
  {
    fault: "the slug is no part of a request under a key",
    file: core("domain/preset/PresetFingerprint.ts"),
    text: '["body", format.name, slug, ',
    instead: '["body", format.name, slug.length < 0, '
  },
  {
    fault: "a version that comes again is added again",
    file: presetStore,
    text: "if (Option.isSome(earlier)) return earlier.value",
    instead: "if (Option.isNone(draft.request) && false) return earlier.value"
  },
  {
    fault: "a change that comes again is refused",
    file: presetStore,
    text: "if (changes.has(id)) return",
    instead: "if (changes.size < 0) return"
  },
  {
    fault: "a lost answer is told as a failure",
    file: lostAnswer,
    text: "times: repeatMax",
    instead: "times: 0 * repeatMax"
  },
  {
    fault: "a contended repeat is told as the end of it",
    file: lostAnswer,
    text: "lost !== undefined && isSilent(error) ? lost : error",
    instead: "lost !== undefined && isSilent(error) ? error : error"
  },
  {
    fault: "a key that comes again is taken for another one",
    file: apiKeys,
    text: "known.id === key.id",
    instead: "known.id !== key.id"
  },
  {
    fault: "a founding that comes again is taken for another one",
    file: workspaceStore,
    text: "return accounts.has(workspace.id)",
    instead: "return !accounts.has(workspace.id)"
  },
  {
    fault: "a removal whose answer was lost finds no secret",
    file: workspaces,
    text: "yield* settle(store.removeWebhookSecret(id, secretId))\n        return true",
    instead: "return yield* settle(store.removeWebhookSecret(id, secretId))"
  },
  {
    fault: "each try of a credit is another credit",
    file: workspaces,
    text: "yield* settle(store.credit(credit))",
    instead: `yield* settle(
          Effect.flatMap(random.uuidV4(), (id) => store.credit({ ...credit, id }))
        )`
  },
  {
    // No seed of the simulation has two callers in one moment and a store that forgets to answer.
    fault: "an answer without a token is believed, whoever's it is",
    file: core("services/Commits.ts"),
    text: "(Option.isSome(token) || Equal.equals(entry.events, events))",
    instead: "entry.revision > 0",
    tests: ["packages/core/test/services/Commits.test.ts"]
  },
  {
    fault: "what may only be a repeat is stored",
    file: core("services/Submissions.ts"),
    text: "Option.isNone(known) && Option.isNone(refusal)",
    instead: "Option.isNone(known)",
    tests: [repeatsTest]
  },
  {
    fault: "whoever may have no new job is read without having made one",
    file: core("services/Admissions.ts"),
    text: "!isJoining || !(yield* mayRepeat(principal))",
    instead: "!isJoining",
    tests: [repeatsTest]
  },
  {
    fault: "files that may be repeats are read without a bound",
    file: core("services/Admissions.ts"),
    text: "yield* hold(principal.workspaceId)",
    instead: "yield* Effect.void",
    tests: [repeatsTest]
  },
  {
    fault: "files under a known key are read without a bound",
    file: core("services/Admissions.ts"),
    text: "if (Option.isSome(refusal)) yield* hold(",
    instead: "if (Option.isNone(refusal)) yield* hold(",
    tests: ["packages/core/test/services/KeyedRepeats.test.ts"]
  },
  {
    fault: "a limit that is free again lets in what was not stored",
    file: core("services/Submissions.ts"),
    text: "if (Option.isSome(refusal)) return yield* refuse(refusal.value)",
    instead: "if (Option.isSome(refusal) && isTextual) return yield* refuse(refusal.value)",
    tests: [repeatsTest]
  },
  {
    fault: "the job of another key is taken for the caller's",
    file: core("services/Repeats.ts"),
    text: "job.keyId === keyId &&",
    instead: "job.keyId !== null &&",
    tests: [repeatsTest]
  },
  {
    fault: "a repeat without a key joins what another request made under its derived key",
    file: core("services/Repeats.ts"),
    text: "if (record.fingerprint !== repeatable.fingerprint) continue",
    instead: "if (record.fingerprint.length === 0) continue",
    tests: [repeatsTest]
  },
  {
    fault: "who sent no key is told that its job was deleted",
    file: core("services/JobMaking.ts"),
    text: `isJoining
        ? createDerived(`,
    instead: `isJoining && candidate.id.length === 0
        ? createDerived(`,
    tests: [repeatsTest]
  },
  {
    fault: "who lost its derived key makes a job that a repeat does not find",
    file: core("services/JobMaking.ts"),
    text: "keyed = Option.map(derived, ({ key }) => ({ key, fingerprint }))",
    instead: "keyed = Option.none()",
    tests: [repeatsTest]
  },
  {
    fault: "a key is swept while a request stands that came when it stood",
    file: core("domain/idempotency/IdempotencyKey.ts"),
    text: "Duration.times(keyWindow, 2)",
    instead: "Duration.times(keyWindow, 1)",
    tests: [
      "packages/adapters/test/sqlite/LapsedKeys.test.ts",
      "packages/adapters/test/memory/IdempotencyTable.test.ts"
    ]
  },
  {
    fault: "a key that a clock far ahead has taken stands until then",
    file: core("domain/idempotency/IdempotencyKey.ts"),
    text: "Math.abs(DateTime.toEpochMillis(takenAt) - DateTime.toEpochMillis(now))",
    instead: "DateTime.toEpochMillis(now) - DateTime.toEpochMillis(takenAt)",
    tests: ["packages/core/test/domain/idempotency/IdempotencyKey.test.ts"]
  },
  {
    fault: "keys in memory are never forgotten",
    file: "packages/adapters/src/memory/IdempotencyTable.ts",
    text: "records.delete(each)",
    instead: "return",
    tests: ["packages/adapters/test/memory/IdempotencyTable.test.ts"]
  }
]
