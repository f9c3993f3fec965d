/**
 * The promises of a `PresetStore` about idempotency keys.
 */
import { IdempotencyKey, keyWindow } from "@verbatim/core/idempotency"
import { PresetStore, type WorkspaceStore } from "@verbatim/core/ports"
import { Event, type PresetDraft } from "@verbatim/core/preset"
import { Duration, Effect, Option, Result } from "effect"
import { upTo, workspaceId } from "../../../samples/Ids.ts"
import {
  designate,
  foundPreset,
  makeDraft,
  revisePreset,
  slug,
  versionsOf
} from "../../../samples/SamplePreset.ts"
import { later } from "../../../samples/SampleWorkspace.ts"
import { advance, atOnce, type Case, workspaceCases } from "../../Contract.ts"
import * as Expect from "../../Expect.ts"

type Ports = PresetStore | WorkspaceStore

interface Wishes extends Partial<PresetDraft> {
  readonly key?: string
}

/** A fingerprint for each number. */
const printOf = (number: number): string => `${number}`.padStart(64, "0")

/** A draft under a key, with a fingerprint of its own. */
const makeKeyedDraft = (
  number: number,
  { key = "order-1", ...wishes }: Wishes = {}
): PresetDraft => ({
  ...makeDraft(number, wishes),
  request: Option.some({ key: IdempotencyKey.make(key), fingerprint: printOf(number) })
})

const appendDraft = (number: number, wishes?: Wishes) =>
  Effect.flatMap(PresetStore, (store) => store.append(makeKeyedDraft(number, wishes)))

const findMade = (key = "order-1", workspace = 1) =>
  Effect.flatMap(PresetStore, (store) =>
    store.made(workspaceId(workspace), IdempotencyKey.make(key))
  )

/** What was made under a key, by the number of its draft. */
const madeNumber = (key?: string, workspace?: number) =>
  Effect.map(
    findMade(key, workspace),
    Option.map(({ fingerprint }) => Number(fingerprint))
  )

const storedCount = Effect.flatMap(
  foundPreset(),
  Option.match({
    onNone: () => Effect.succeed(0),
    onSome: ({ preset }) => Effect.map(versionsOf(preset.id), ({ length }) => length)
  })
)

/** Keys that lapse together. */
const lapsingCount = 48

/** What a `PresetStore` promises about idempotency keys. */
export const keys: ReadonlyArray<Case<Ports>> = workspaceCases(PresetStore, {
  *"remembers what was made under a key, and adds no second version under it"() {
    yield* findMade().pipe(Expect.gives("at first there is none", Option.none()))
    const first = yield* appendDraft(1)
    yield* Expect.refuses(appendDraft(2), "KeyTaken")
    yield* Expect.refuses(appendDraft(3, { slug: slug("other") }), "KeyTaken")
    yield* Expect.that("the key tells what the first one made", yield* findMade()).is(
      Option.some({ fingerprint: printOf(1), made: first })
    )
    yield* storedCount.pipe(Expect.gives("the others added nothing", 1))
    yield* foundPreset("other").pipe(Expect.gives("the others made no preset", Option.none()))
  },
  *"keeps keys apart by their spelling and their workspace"() {
    yield* appendDraft(1)
    yield* appendDraft(2, { key: "Order-1" })
    yield* appendDraft(3, { key: "order-1/" })
    yield* Expect.refuses(appendDraft(4, { workspaceId: workspaceId(2) }), "WorkspaceMissing")
    yield* Expect.that(
      "each stands for its own version",
      yield* Effect.all([
        madeNumber(),
        madeNumber("Order-1"),
        madeNumber("order-1/"),
        madeNumber("order-1", 2)
      ])
    ).is([Option.some(1), Option.some(2), Option.some(3), Option.none()])
  },
  *"lets a key go after 24 hours, not before"() {
    yield* appendDraft(1)
    yield* advance(Duration.subtract(keyWindow, Duration.millis(1)))
    yield* Expect.refuses(appendDraft(2), "KeyTaken")
    yield* madeNumber().pipe(Expect.gives("a millisecond before it still stands", Option.some(1)))
    yield* advance(Duration.millis(1))
    yield* madeNumber().pipe(Expect.gives("then it is free", Option.none()))
    yield* appendDraft(3)
    yield* madeNumber().pipe(Expect.gives("and stands for the new version", Option.some(3)))
    yield* storedCount.pipe(Expect.gives("both versions are there", 2))
  },
  *"lets a key go that a clock far ahead has taken, and no other"() {
    yield* advance(Duration.days(2))
    yield* appendDraft(1)
    yield* advance(Duration.subtract(Duration.millis(1), keyWindow))
    yield* Expect.refuses(appendDraft(2), "KeyTaken")
    yield* madeNumber().pipe(Expect.gives("within a day it still stands", Option.some(1)))
    yield* advance(Duration.millis(-1))
    yield* madeNumber().pipe(Expect.gives("then it is free", Option.none()))
    yield* appendDraft(3)
    yield* madeNumber().pipe(Expect.gives("and stands for the new version", Option.some(3)))
    yield* storedCount.pipe(Expect.gives("both versions are there", 2))
  },
  *"shows the version that was made under a key, whatever happened to the preset since"(store) {
    const { version } = yield* appendDraft(1)
    const { preset, version: second } = yield* store.append(makeDraft(2))
    const back = yield* revisePreset(preset, designate(version))
    const forth = yield* revisePreset(back, designate(second))
    const archived = yield* revisePreset(forth, Event.cases.Shelved.make({ at: later(9) }))
    yield* Expect.that("the preset as it is, with that version", yield* findMade()).is(
      Option.some({
        fingerprint: printOf(1),
        made: { preset: archived, version }
      })
    )
    yield* Expect.refuses(appendDraft(3), "KeyTaken")
  },
  *"keeps no key of a draft that is refused"() {
    const { preset } = yield* appendDraft(1, { key: "order-0" })
    const archived = yield* revisePreset(preset, Event.cases.Shelved.make({ at: later(2) }))
    yield* Expect.refuses(appendDraft(2), "Archived")
    yield* findMade().pipe(Expect.gives("the archived preset kept no key", Option.none()))
    yield* Expect.refuses(appendDraft(3, { workspaceId: workspaceId(9) }), "WorkspaceMissing")
    yield* Expect.that("nor did a workspace that does not exist", yield* findMade("order-1", 9)).is(
      Option.none()
    )
    yield* revisePreset(archived, Event.cases.Resumed.make({ at: later(4) }))
    yield* appendDraft(5)
    yield* madeNumber().pipe(Expect.gives("the key is free for the next", Option.some(5)))
  },
  *"adds one version of many drafts at once under one key"() {
    const outcomes = yield* atOnce(upTo(16), (number) =>
      Effect.result(appendDraft(number, { slug: slug(number % 2 === 0 ? "support" : "other") }))
    )
    const answers = outcomes.flatMap((each) => (Result.isSuccess(each) ? [each.success] : []))
    yield* Expect.that("one was the first", answers.length).is(1)
    yield* Expect.holds(
      "the others were told so",
      outcomes.every((each) => Result.isSuccess(each) || each.failure.reason._tag === "KeyTaken")
    )
    yield* Expect.that(
      "the key stands for it",
      Option.map(yield* findMade(), (each) => each.made)
    ).is(Option.fromUndefinedOr(answers[0]))
    const presets = [yield* foundPreset("support"), yield* foundPreset("other")]
    yield* Expect.that(
      "there is one version in all",
      presets.flatMap(Option.toArray).map(({ preset }) => preset.latestVersion)
    ).is([1])
  },
  *"keeps every key that is used again while others lapse"() {
    const key = (number: number) => `order-${number}`
    yield* atOnce(upTo(lapsingCount), (number) => appendDraft(number, { key: key(number) }))
    yield* advance(keyWindow)
    const again = upTo(lapsingCount).filter((number) => number % 2 === 0)
    yield* atOnce(again, (number) => appendDraft(lapsingCount + number, { key: key(number) }))
    yield* Expect.that(
      "each stands for its second version",
      yield* Effect.forEach(again, (number) => madeNumber(key(number)))
    ).is(again.map((number) => Option.some(lapsingCount + number)))
  }
})
