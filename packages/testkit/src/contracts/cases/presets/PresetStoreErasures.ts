/**
 * The promises of a `PresetStore` about versions that lose their content.
 */
import { IdempotencyKey } from "@verbatim/core/idempotency"
import { PresetStore, type WorkspaceStore } from "@verbatim/core/ports"
import { eraseContent } from "@verbatim/core/preset"
import { Effect, Option } from "effect"
import { presetId, upTo, userId, workspaceId } from "../../../samples/Ids.ts"
import {
  designationsOf,
  erase,
  findStored,
  makeDraft,
  revisionOf,
  versionsOf
} from "../../../samples/SamplePreset.ts"
import { later } from "../../../samples/SampleWorkspace.ts"
import { atOnce, type Case, workspaceCases } from "../../Contract.ts"
import * as Expect from "../../Expect.ts"

type Ports = PresetStore | WorkspaceStore

const key = IdempotencyKey.make("order-1")

/** The first version has a key and a comment; the third one is designated. */
const drafts = [
  makeDraft(1, {
    request: Option.some({ key, fingerprint: "1".repeat(64) }),
    comment: "The key is in it.",
    systemPrompt: "The password is swordfish.",
    wins: ["model"]
  }),
  makeDraft(2),
  makeDraft(3)
]

const grow = Effect.flatMap(PresetStore, (store) =>
  Effect.map(Effect.forEach(drafts, store.append), (made) => made.map(({ version }) => version))
)

const erasure = { at: later(9), by: userId(7) }

/** The revision that erases the first version. */
const eraseFirst = Effect.gen(function* () {
  const [first, second, third] = yield* grow
  const { preset } = yield* findStored()
  if (first === undefined || second === undefined || third === undefined) {
    return yield* Effect.die("there are three versions")
  }
  const revision = revisionOf(preset, { event: erase(first, erasure.at, erasure.by) })
  return { first, others: [second, third], revision }
})

/** What a `PresetStore` promises about erasures. */
export const erasureCases: ReadonlyArray<Case<Ports>> = workspaceCases(PresetStore, {
  *"takes the content of a version away wherever it is shown, and keeps the rest of it"(store) {
    const { first, others, revision } = yield* eraseFirst
    yield* store.revise(revision)
    const erased = eraseContent(first, erasure)
    const all = [erased, ...others]
    yield* versionsOf(presetId(1)).pipe(Expect.gives("the list shows that it is gone", all))
    yield* Expect.that("so does the version itself", yield* store.version(presetId(1), 1)).is(
      Option.some(erased)
    )
    yield* Expect.that(
      "so does what was designated then",
      yield* store.designatedAt(presetId(1), later(1))
    ).is(Option.some(erased))
    yield* Expect.that(
      "a repeat of its draft shows no more",
      Option.map(
        Option.some(yield* store.append(drafts[0] ?? makeDraft(1))),
        (made) => made.version
      )
    ).is(Option.some(erased))
    yield* Expect.that(
      "its key keeps no digest of the request",
      yield* store.made(workspaceId(1), key)
    ).is(Option.some({ fingerprint: "", made: { preset: revision.next, version: erased } }))
    yield* Expect.that(
      "its number is in the history",
      (yield* designationsOf(presetId(1))).map(({ to }) => to)
    ).is([1, 2, 3])
    yield* Expect.refuses(
      store.append({ ...makeDraft(4), request: drafts[0]?.request ?? Option.none() }),
      "KeyTaken"
    )
    yield* Expect.that(
      "the next version has a number of its own",
      (yield* store.append(makeDraft(5))).version.version
    ).is(4)
  },
  *"erases nothing when the preset has changed since"(store) {
    const { first, others, revision } = yield* eraseFirst
    const { version } = yield* store.append(makeDraft(4))
    yield* Expect.refuses(store.revise(revision), "Superseded")
    yield* versionsOf(presetId(1)).pipe(
      Expect.gives("all versions are as they were", [first, ...others, version])
    )
    const made = yield* store.made(workspaceId(1), key)
    yield* Expect.that(
      "and so is the key",
      Option.map(made, ({ fingerprint }) => fingerprint)
    ).is(Option.some("1".repeat(64)))
  },
  *"erases once, however often it is asked"(store) {
    const { first, others, revision } = yield* eraseFirst
    yield* atOnce(upTo(8), () => store.revise(revision))
    yield* Expect.that("it is as one erasure left it", (yield* findStored()).preset).is(
      revision.next
    )
    yield* versionsOf(presetId(1)).pipe(
      Expect.gives("and so are the versions", [eraseContent(first, erasure), ...others])
    )
  }
})
