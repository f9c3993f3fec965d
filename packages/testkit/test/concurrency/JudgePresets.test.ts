/** What the judge accepts about presets, and what it says about one wrong answer each. */
import { designationDigest, versionDigest } from "#src/concurrency/questions/PresetChange"
import { areJudged } from "./Histories.ts"
import {
  appended,
  decided,
  grow,
  listedDesignations,
  listedMove,
  listedVersions,
  moved,
  revised,
  slug
} from "./PresetRecords.ts"
import { answered, refused, unanswered } from "./Records.ts"

const first = appended(50, [1, 2])

/** The first version, and two that were appended at the same time. */
const both = grow(50, 51, 52)
const appendedTogether = [first, appended(51, [3, 9], grow(50, 51)), appended(52, [3, 9], both)]

const swap = <A, K extends keyof A>(all: ReadonlyArray<A>, key: K): ReadonlyArray<A> =>
  all.map((one, index) => ({ ...one, [key]: (all[3 - index] ?? one)[key] }))

/** After the first version, two whose answers were lost, and one more. */
const lost = [53, 52].map((number) => unanswered(appended(number, [3, 4])))
const lostInTurn = grow(50, 52, 53, 54)
const lostThenFourth = [first, ...lost, appended(54, [10, 11], lostInTurn)]

const noOrder = /about preset support fits no order/

areJudged("The judge of presets", {
  sound: {
    "a first version": [first],
    "two versions that came at the same time": [
      ...appendedTogether,
      listedVersions(both.versions.map(versionDigest), [10, 11]),
      listedDesignations(both.designations.map(designationDigest), [10, 11])
    ],
    "refusals with a reason": [
      first,
      refused(revised([3, 5]), "Contended"),
      appended(51, [4, 6], grow(50, 51)),
      refused(revised([7, 8]))
    ],
    "the move of a label, and its history": [first, moved([3, 4]), listedMove([5, 6])],
    "the move of a label beside its protection": [
      first,
      decided("protect", [3, 6]),
      moved([4, 5]),
      decided("unprotect", [7, 8])
    ],
    "the refusal to move a label that somebody protects": [
      first,
      decided("protect", [3, 4]),
      refused(moved([5, 6]))
    ],
    "the refusal to move a label while its protection is lifted": [
      first,
      decided("unprotect", [3, 7]),
      refused(moved([5, 6]))
    ],
    "versions whose answers got lost, listed in the other order than they were asked for": [
      ...lostThenFourth,
      listedVersions(lostInTurn.versions.map(versionDigest), [40, 41])
    ],
    "designations of versions whose answers got lost, in the other order": [
      ...lostThenFourth,
      listedDesignations(lostInTurn.designations.map(designationDigest), [40, 41])
    ]
  },
  broken: [
    [noOrder, [first, appended(51, [3, 4])]],
    [noOrder, [first, answered("findPreset", { question: { slug }, answer: null, when: [3, 4] })]],
    [noOrder, [first, listedVersions([], [3, 4])]],
    ...["Archived", "Superseded", "KeyTaken", "WorkspaceMissing"].map(
      (reason) =>
        [
          reason === "Archived"
            ? noOrder
            : new RegExp(`append may never be refused with ${reason}`),
          [first, refused(appended(51, [3, 4]), reason)]
        ] as const
    ),
    ...["Archived", "WorkspaceMissing"].map(
      (reason) =>
        [
          new RegExp(`revise may never be refused with ${reason}`),
          [first, refused(revised([3, 4]), reason)]
        ] as const
    ),
    [noOrder, [first, refused(revised([3, 4]))]],
    [noOrder, [first, listedMove([3, 4])]],
    [noOrder, [first, moved([3, 4]), moved([5, 6])]],
    [noOrder, [first, decided("unprotect", [3, 4]), refused(moved([5, 6]))]],
    [
      /the protected label production was moved as if it were free/,
      [first, decided("protect", [3, 4]), moved([5, 6])]
    ],
    [/protect may never be refused with Superseded/, [first, refused(decided("protect", [3, 4]))]],
    [
      /revise was refused as contended, but nobody else wrote/,
      [first, refused(revised([3, 4]), "Contended")]
    ],
    [
      noOrder,
      [
        ...appendedTogether,
        listedVersions(swap(both.versions, "creatorId").map(versionDigest), [10, 11])
      ]
    ],
    [
      noOrder,
      [
        ...appendedTogether,
        listedVersions(swap(both.versions, "createdAt").map(versionDigest), [10, 11])
      ]
    ],
    [
      noOrder,
      [
        ...appendedTogether,
        listedDesignations(swap(both.designations, "at").map(designationDigest), [10, 11])
      ]
    ]
  ]
})
