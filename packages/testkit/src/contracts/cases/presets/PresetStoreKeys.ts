/** Contract cases for `PresetStore` about idempotency keys. */
import { IdempotencyKey, keyWindow } from "@verbatim/core/idempotency"
import { PresetStore, PresetStoreError, type WorkspaceStore } from "@verbatim/core/ports"
import { Event, type PresetCondition, type PresetDraft, type Unmet } from "@verbatim/core/preset"
import { Duration, Effect, Option } from "effect"
import {
  designate,
  designatedIn,
  findPreset,
  findStored,
  later,
  makeDraft,
  presetId,
  revisePreset,
  revisionOf,
  slug,
  upTo,
  versionId,
  versionsOf,
  workspaceId
} from "../../../samples/index.ts"
import { advance, atOnce, type Cases, race, workspaceCases } from "../../Contract.ts"
import * as Expect from "../../Expect.ts"

type Ports = PresetStore | WorkspaceStore

interface Overrides extends Partial<PresetDraft> {
  readonly key?: string
}

/** Returns the fingerprint for a number. Each number has its own. */
const printOf = (number: number): string => `${number}`.padStart(64, "0")

/** Creates a draft with a key and its own fingerprint. */
const makeKeyedDraft = (
  number: number,
  { key = "order-1", ...overrides }: Overrides = {}
): PresetDraft => ({
  ...makeDraft(number, overrides),
  request: Option.some({ key: IdempotencyKey.make(key), fingerprint: printOf(number) })
})

const appendDraft = (number: number, overrides?: Overrides) =>
  PresetStore.use((store) => store.append(makeKeyedDraft(number, overrides)))

const findMade = (key = "order-1", workspace = 1) =>
  PresetStore.use((store) => store.made(workspaceId(workspace), IdempotencyKey.make(key)))

/** Returns the number of the draft stored under a key. */
const madeNumber = (key?: string, workspace?: number) =>
  Effect.map(
    findMade(key, workspace),
    Option.map(({ fingerprint }) => Number(fingerprint))
  )

const storedCount = Effect.flatMap(
  findPreset(),
  Option.match({
    onNone: () => Effect.succeed(0),
    onSome: ({ preset }) => Effect.map(versionsOf(preset.id), ({ length }) => length)
  })
)

/** Number of keys that expire together. */
const lapsingCount = 48

export const keys: Cases<Ports> = workspaceCases(PresetStore, {
  *"distinguishes idempotency keys that differ in spelling or workspace"() {
    yield* appendDraft(1)
    yield* appendDraft(2, { key: "Order-1" })
    yield* appendDraft(3, { key: "order-1/" })
    yield* Expect.refuses(appendDraft(4, { workspaceId: workspaceId(2) }), "WorkspaceMissing")
    yield* Expect.that(
      "each key has its own version",
      yield* Effect.all([
        madeNumber(),
        madeNumber("Order-1"),
        madeNumber("order-1/"),
        madeNumber("order-1", 2)
      ])
    ).is([Option.some(1), Option.some(2), Option.some(3), Option.none()])
  },
  *"frees an idempotency key after exactly 24 hours, even if the clock was set back"() {
    const moment = Duration.millis(1)
    // Clock changes after which a key is just valid, and further changes after which it has
    // expired.
    const moves = [
      [Duration.subtract(keyWindow, moment), moment],
      [Duration.subtract(moment, keyWindow), Duration.negate(moment)]
    ] as const
    yield* advance(Duration.days(2))
    for (const [index, [within, beyond]] of moves.entries()) {
      const [key, number] = [`order-${index}`, 10 * index + 1]
      yield* appendDraft(number, { key })
      yield* advance(within)
      yield* Expect.refuses(appendDraft(number + 1, { key }), "KeyTaken")
      yield* madeNumber(key).pipe(
        Expect.gives("the key is valid until the last millisecond", Option.some(number))
      )
      yield* advance(beyond)
      yield* madeNumber(key).pipe(Expect.gives("the expired key is free", Option.none()))
      yield* appendDraft(number + 2, { key })
      yield* madeNumber(key).pipe(
        Expect.gives("the reused key has a new version", Option.some(number + 2))
      )
    }
    yield* storedCount.pipe(Expect.gives("all versions are there", 4))
  },
  *"returns an idempotency key's version together with the preset's current state"(store) {
    const { version } = yield* appendDraft(1)
    const { preset, version: second } = yield* store.append(makeDraft(2))
    const back = yield* revisePreset(preset, designate(version))
    const forth = yield* revisePreset(back, designate(second))
    const archived = yield* revisePreset(forth, Event.cases.Shelved.make({ at: later(9) }))
    yield* Expect.that("the current preset with that version", yield* findMade()).is(
      Option.some({
        fingerprint: printOf(1),
        made: { preset: archived, version }
      })
    )
    yield* Expect.refuses(appendDraft(3), "KeyTaken")
  },
  *"keeps an idempotency key that is reused while other keys expire"() {
    const key = (number: number) => `order-${number}`
    yield* atOnce(upTo(lapsingCount), (number) => appendDraft(number, { key: key(number) }))
    yield* advance(keyWindow)
    const again = upTo(lapsingCount).filter((number) => number % 2 === 0)
    yield* atOnce(again, (number) => appendDraft(lapsingCount + number, { key: key(number) }))
    yield* Expect.that(
      "each key has its second version",
      yield* Effect.forEach(again, (number) => madeNumber(key(number)))
    ).is(again.map((number) => Option.some(lapsingCount + number)))
  }
})

/** Appends a draft, and returns the version number or the refusal. */
const outcomeOf = (number: number, condition: PresetCondition, text = "support") =>
  PresetStore.use((store) => store.append(makeDraft(number, { condition, slug: slug(text) }))).pipe(
    Effect.map(({ version }) => version.version),
    Effect.catchTag("PresetStoreError", ({ reason }) =>
      Effect.succeed(reason._tag === "ConditionFailed" ? reason.unmet : reason._tag)
    )
  )

/** Conditions for a write to a preset with a designated second version. */
const rows: ReadonlyArray<readonly [condition: PresetCondition, unmet: Unmet | undefined]> = [
  [{}, undefined],
  [{ match: undefined, noneMatch: undefined }, undefined],
  [{ match: "any" }, undefined],
  [{ match: [versionId(2)] }, undefined],
  [{ match: [versionId(1), versionId(2)] }, undefined],
  [{ match: [versionId(1)] }, "Moved"],
  [{ match: [] }, "Moved"],
  [{ noneMatch: "any" }, "Exists"],
  [{ noneMatch: [versionId(1)] }, undefined],
  [{ noneMatch: [] }, undefined],
  [{ noneMatch: [versionId(2)] }, "NotMoved"],
  [{ match: "any", noneMatch: "any" }, "Exists"],
  [{ match: [versionId(1)], noneMatch: "any" }, "Moved"]
]

/** Returns why a draft is refused. The draft can have a key and a condition. */
const refusalOf = (overrides: Partial<PresetDraft>, isKeyed: boolean) =>
  PresetStore.use((store) => {
    const key = IdempotencyKey.make("k")
    const request = isKeyed ? Option.some({ key, fingerprint: "f" }) : Option.none()
    return Effect.map(
      Effect.flip(store.append(makeDraft(9, { ...overrides, request }))),
      ({ reason }) => reason._tag
    )
  })

export const conditions: Cases<PresetStore | WorkspaceStore> = workspaceCases(PresetStore, {
  *"adds a version only if the draft's condition holds"(store) {
    for (const [index, [condition, unmet]] of rows.entries()) {
      const text = `row-${index}`
      const first = 10 * index + 100
      yield* store.append(makeDraft(first, { slug: slug(text) }))
      const second = yield* store.append(makeDraft(first + 1, { slug: slug(text) }))
      const named = JSON.stringify(condition)
        .replaceAll(versionId(1), versionId(first))
        .replaceAll(versionId(2), versionId(first + 1))
      const outcome = yield* outcomeOf(first + 2, JSON.parse(named), text)
      yield* Expect.that(`the outcome of ${named}`, outcome).is(unmet ?? 3)
      if (unmet === undefined) continue
      yield* Expect.that("nothing was written", yield* findPreset(text)).is(Option.some(second))
    }
  },
  *"creates a preset unless the draft's condition requires an existing preset"() {
    const outcomes = [
      yield* outcomeOf(1, { match: "any" }),
      yield* outcomeOf(2, { match: [versionId(2)] }),
      yield* outcomeOf(3, { match: "any", noneMatch: "any" }),
      yield* outcomeOf(4, { noneMatch: [versionId(4)] }, "other"),
      yield* outcomeOf(5, { noneMatch: "any" })
    ]
    yield* Expect.that("three are refused, two are made", outcomes).is([
      "Absent",
      "Absent",
      "Absent",
      1,
      1
    ])
  },
  *"lets one of many concurrent writers with the same condition win"(store) {
    const raceFrom = (first: number, condition: PresetCondition) =>
      Effect.map(
        race(upTo(16), (number) => store.append(makeDraft(first + number, { condition }))),
        ({ answers, refused }) => [answers.map(({ version }): number => version.version), refused]
      )
    const created = yield* raceFrom(0, { noneMatch: "any" })
    const { version } = yield* findStored()
    const followed = yield* raceFrom(100, { match: [version.id] })
    yield* Expect.that("one draft creates the preset, and one adds a version", [
      created,
      followed
    ]).is([
      [[1], ["ConditionFailed"]],
      [[2], ["ConditionFailed"]]
    ])
  },
  *"reports why it refuses a draft with an idempotency key, a condition, or both"(store) {
    const { preset } = yield* store.append(makeDraft(1))
    yield* revisePreset(preset, Event.cases.Shelved.make({ at: later(2) }))
    const unmade = { workspaceId: workspaceId(9) }
    const kinds: ReadonlyArray<PresetCondition | undefined> = [undefined, { noneMatch: [] }]
    for (const condition of kinds) {
      for (const isKeyed of [false, true]) {
        yield* Expect.that("the preset is archived, the workspace is missing", [
          yield* refusalOf({ condition }, isKeyed),
          yield* refusalOf({ ...unmade, condition }, isKeyed)
        ]).is(["Archived", "WorkspaceMissing"])
      }
    }
  },
  *"looks for a draft and its idempotency key before checking the draft's condition"(store) {
    const request = Option.some({ key: IdempotencyKey.make("k"), fingerprint: "f" })
    const draft = makeDraft(1, { request, condition: { noneMatch: "any" } })
    const first = yield* store.append(draft)
    yield* Expect.that("the repeat is the same version", yield* store.append(draft)).is(first)
    const plain = makeDraft(2, { slug: slug("plain"), condition: { noneMatch: "any" } })
    yield* store.append(plain)
    yield* Expect.that(
      "the repeat without a key returns the same version",
      Option.map(Option.some(yield* store.append(plain)), ({ version }) => version.id)
    ).is(Option.some(versionId(2)))
    const other = yield* Effect.flip(store.append({ ...draft, versionId: versionId(3) }))
    yield* Expect.that("another draft with the key is refused", other).is(
      new PresetStoreError({ operation: "append", reason: { _tag: "KeyTaken" } })
    )
    yield* Expect.that("each draft has one version", [
      (yield* versionsOf(presetId(1))).length,
      (yield* versionsOf(presetId(2))).length
    ]).is([1, 1])
  }
})

/** Number of concurrent calls that make the same write. */
const times = 8

/** Creates a preset with two versions, and returns a change that designates the first one again. */
const prepareRestore = Effect.gen(function* () {
  const store = yield* PresetStore
  const { version } = yield* store.append(makeDraft(1))
  const { preset } = yield* store.append(makeDraft(2))
  return { store, preset, back: revisionOf(preset, { event: designate(version) }) }
})

export const repeats: Cases<PresetStore | WorkspaceStore> = workspaceCases(PresetStore, {
  *"adds a draft once, however often the call is repeated"(store) {
    const repeated = makeDraft(1)
    const answers = yield* atOnce(upTo(times), () => store.append(repeated))
    const first = yield* findStored()
    yield* Expect.that("each call returns the same version", answers).is(answers.map(() => first))
    const { preset } = yield* store.append(makeDraft(2))
    const archived = yield* revisePreset(preset, Event.cases.Shelved.make({ at: later(3) }))
    yield* Expect.that("a late repeat returns the version", yield* store.append(repeated)).is({
      preset: { ...archived, designatedVersion: 1, designatedVersionId: first.version.id },
      version: first.version
    })
    yield* Expect.that(
      "the preset has both versions",
      (yield* versionsOf(preset.id)).map(({ id, version }) => [id, version])
    ).is([
      [repeated.versionId, 1],
      [makeDraft(2).versionId, 2]
    ])
    yield* Expect.that("the preset is unchanged", (yield* findStored()).preset).is(archived)
  },
  *"applies a change once, however often the call is repeated"() {
    const { back, preset, store } = yield* prepareRestore
    yield* atOnce(upTo(times), () => store.revise(back))
    yield* Expect.that("the change was made", (yield* findStored()).preset).is(back.next)
    const renamed = Event.cases.Described.make({ at: later(3), name: "x", description: null })
    const after = yield* revisePreset(back.next, renamed)
    yield* store.revise(back)
    yield* Expect.that("a late repeat undoes nothing", (yield* findStored()).preset).is(after)
    yield* designatedIn(preset.id).pipe(Expect.gives("the change is not made again", [1, 2, 1]))
  }
})
