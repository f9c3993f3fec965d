/** What the auditor says about writes that were made twice, or reported wrongly. */
import { assert, describe, it } from "@effect/vitest"
import { audit } from "#src/simulation/audit/Auditor"
import type { Fact, FactOf } from "#src/simulation/record/Facts"
import { created, listed } from "./VersionFacts.ts"

const refused = (at: number): Fact => ({ ...created(null, at), isOpen: false }) as Fact

/** Changes that were asked for and acknowledged, this many of a kind. */
const designated = (
  kind: FactOf<"PresetChanged">["kind"],
  to: number | null,
  count: number
): ReadonlyArray<Fact> =>
  Array.from({ length: count }, (_, index) => ({
    _tag: "PresetChanged",
    slug: "s",
    kind,
    to,
    isDone: true,
    isOpen: false,
    beganAt: index,
    endedAt: index + 1
  }))

/** A version was designated, as it was asked for, at a time. */
const switched = (to: number, at: number): Fact => ({
  _tag: "PresetChanged",
  slug: "s",
  kind: "Designate",
  to,
  isDone: true,
  isOpen: false,
  beganAt: at,
  endedAt: at + 1
})

const twoVersions = [created(1, 0), created(2, 5), listed([1, "p0"], [2, "p5"])]

/** A preset at a revision, with versions designated in that order. */
const designations = (revision: number, ...order: ReadonlyArray<number>): ReadonlyArray<Fact> => [
  {
    _tag: "DesignationsListed",
    slug: "s",
    revision,
    designations: order.map((to, index) => ({
      revision: index + 1,
      from: order[index - 1] ?? null,
      to
    })),
    designatedVersion: order.at(-1) ?? 1
  }
]

/** The preset was shown at a revision, with a version designated. */
const shown = (revision: number, designatedVersion: number): Fact => ({
  _tag: "PresetSeen",
  slug: "s",
  latestVersion: 2,
  revision,
  designatedVersion,
  version: designatedVersion,
  prompt: designatedVersion === 1 ? "p0" : "p5",
  beganAt: 30,
  endedAt: 31
})

const issue = (id: string | null, isOpen: boolean): ReadonlyArray<Fact> => [
  { _tag: "Issued", kind: "key", id, isOpen }
]

const held = (...ids: ReadonlyArray<string>): Fact => ({ _tag: "Held", kind: "key", ids })

const issued = "each key and each secret is made once, and told or accounted for"

const linear = "the history of a preset is linear and dense"

/** What is seen, and the guarantee that it breaks. */
const broken: ReadonlyArray<readonly [string, ReadonlyArray<Fact>]> = [
  [linear, [refused(0), listed([1, "p0"])]],
  // To the designated version, a designation is none.
  [linear, [...designated("Designate", 1, 1), ...designations(2, 1, 1)]],
  // One was lost, one made twice, one never asked for.
  [linear, [...twoVersions, switched(1, 10), ...designations(2, 1, 2)]],
  [linear, [...twoVersions, switched(1, 10), switched(2, 20), ...designations(3, 1, 2, 1)]],
  [linear, [...twoVersions, switched(1, 10), ...designations(5, 1, 2, 1, 2, 1)]],
  [linear, [...twoVersions, ...designations(3, 1, 2, 1)]],
  // Acknowledged, and not in the history, or another one is there in its place.
  [linear, [...twoVersions, shown(3, 1), ...designations(2, 1, 2)]],
  [linear, [...twoVersions, shown(2, 1), ...designations(2, 1, 2)]],
  [linear, [...designated("Rename", null, 1), ...designations(3, 1)]],
  [linear, [...designated("Rename", null, 2), ...designations(2, 1)]],
  [linear, [{ _tag: "OtherPrompt", key: "k", answer: "a version", beganAt: 0, endedAt: 1 }]],
  [issued, [...issue("a", false), held()]],
  [issued, [...issue("a", false), held("a", "b")]],
  [issued, [...issue(null, true), held("a", "b")]],
  [issued, [...issue(null, false), held("a")]],
  [issued, [...issue("a", false), { _tag: "Withdrawn", id: "a", isDone: true }, held("a")]]
]

const sound: ReadonlyArray<ReadonlyArray<Fact>> = [
  [created(null, 0), listed([1, "p0"])],
  [created(null, 0), created(1, 5), listed([1, "p5"])],
  [...designated("Designate", 1, 1), ...designations(1, 1)],
  [...twoVersions, switched(2, 10), switched(1, 20), switched(1, 30), ...designations(3, 1, 2, 1)],
  [...twoVersions, switched(1, 10), shown(3, 1), ...designations(3, 1, 2, 1)],
  [...designated("Rename", null, 1), ...designations(2, 1)],
  [...issue("a", false), ...issue(null, true), held("a", "b")],
  [...issue("a", false), { _tag: "Withdrawn", id: "a", isDone: true }, held()]
]

describe("The auditor of writes", () => {
  for (const [index, [rule, facts]] of broken.entries()) {
    it(`sees that this is broken: ${rule} (${index})`, () => {
      assert.include(
        audit(facts).map((violation) => violation.rule),
        rule
      )
    })
  }

  it("has nothing against what may be", () => {
    for (const facts of sound) assert.deepStrictEqual(audit(facts), [])
  })
})
