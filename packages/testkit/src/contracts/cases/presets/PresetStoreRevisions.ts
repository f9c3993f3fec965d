/**
 * The promises of a `PresetStore` about changes of a preset.
 */

import { PresetStore, type WorkspaceStore } from "@verbatim/core/ports"
import { Event, type Preset } from "@verbatim/core/preset"
import { Effect, Option } from "effect"
import { presetId, userId, workspaceId } from "../../../samples/Ids.ts"
import {
  designate,
  foundPreset,
  makeDraft,
  pastOf,
  revisePreset,
  revisionOf,
  slug,
  versionsOf
} from "../../../samples/SamplePreset.ts"
import { later } from "../../../samples/SampleWorkspace.ts"
import { type Case, workspaceCases } from "../../Contract.ts"
import * as Expect from "../../Expect.ts"

const { Described, Resumed, Shelved, Suspended } = Event.cases

/** Everything that the store says about the first preset. */
const storedPreset = Effect.gen(function* () {
  return { found: yield* foundPreset(), ...(yield* pastOf(presetId(1))) }
})

/** A preset with that many versions. */
const growPreset = Effect.fnUntraced(function* (versionCount: number) {
  const store = yield* PresetStore
  let answer = yield* store.append(makeDraft(1))
  for (let number = 2; number <= versionCount; number++)
    answer = yield* store.append(makeDraft(number))
  return answer
})

/** What one writer at a time sees of its changes. */
export const revisionCases: ReadonlyArray<Case<PresetStore | WorkspaceStore>> = workspaceCases(
  PresetStore,
  {
    *"replaces a preset by what was decided, with the version it designates"() {
      const { preset, version } = yield* growPreset(1)
      const second = yield* Effect.flatMap(PresetStore, (store) => store.append(makeDraft(2)))
      const events = [
        Described.make({ at: later(10), name: "Support", description: "for callers" }),
        Suspended.make({ at: later(11) }),
        designate(version, later(12)),
        Shelved.make({ at: later(13) }),
        Resumed.make({ at: later(14) })
      ]
      let stored: Preset = second.preset
      for (const event of events) {
        stored = yield* revisePreset(stored, event)
        const isFirst = stored.designatedVersion === 1
        yield* Expect.that(`it is as ${event._tag} left it`, yield* foundPreset()).is(
          Option.some({ preset: stored, version: isFirst ? version : second.version })
        )
      }
      yield* Expect.that("the versions are untouched", yield* versionsOf(preset.id)).is([
        version,
        second.version
      ])
    },
    *"refuses a revision that was decided on another one, and writes nothing"(store) {
      const first = yield* store.append(makeDraft(1))
      yield* store.append(makeDraft(2))
      const before = yield* storedPreset
      const stale = revisionOf(first.preset, { event: designate(first.version, later(3)) })
      yield* Expect.refuses(store.revise(stale), "Superseded")
      yield* Expect.refuses(store.revise({ ...stale, expectedRevision: 3 }), "Superseded")
      yield* storedPreset.pipe(Expect.gives("all is as before", before))
    },
    *"refuses a revision of a preset that does not exist, and writes nothing"(store) {
      const { preset } = yield* store.append(makeDraft(1))
      const stray = { ...preset, id: presetId(2) }
      const revision = revisionOf(stray, { event: Suspended.make({ at: later(2) }) })
      yield* Expect.refuses(store.revise(revision), "Superseded")
      yield* Expect.that(
        "the preset with that slug is as before",
        Option.map(yield* foundPreset(), (found) => found.preset)
      ).is(Option.some(preset))
    },
    *"never changes whose a preset is, its slug, its versions and its birth"(store) {
      const { preset } = yield* growPreset(2)
      const event = Described.make({ at: later(3), name: "Support", description: null })
      const revision = revisionOf(preset, { event })
      const forged: Preset = {
        ...revision.next,
        workspaceId: workspaceId(2),
        slug: slug("sales"),
        creatorUserId: userId(9),
        latestVersion: 7,
        createdAt: later(9)
      }
      yield* store.revise({ ...revision, next: forged })
      yield* Expect.that(
        "it has its new name, and nothing else is new",
        Option.map(yield* foundPreset(), (found) => found.preset)
      ).is(Option.some(revision.next))
    },
    *"appends to a disabled preset as to any, and leaves what else was changed"(store) {
      const { preset } = yield* growPreset(3)
      const [first] = yield* versionsOf(preset.id)
      const described = Described.make({ at: later(4), name: "Support", description: "" })
      const named = yield* revisePreset(preset, described)
      const disabled = yield* revisePreset(named, Suspended.make({ at: later(5) }))
      const back =
        first === undefined ? disabled : yield* revisePreset(disabled, designate(first, later(6)))
      const wanted = makeDraft(7)
      const answer = yield* store.append(wanted)
      yield* Expect.that(
        "it is disabled, and designates the version after the latest",
        answer.preset
      ).is({
        ...back,
        revision: 7,
        latestVersion: 4,
        designatedVersion: 4,
        designatedVersionId: wanted.versionId,
        updatedAt: wanted.at
      })
      yield* foundPreset().pipe(Expect.gives("it is found so", Option.some(answer)))
    },
    *"takes no version for an archived preset, until it is restored"(store) {
      const { preset } = yield* growPreset(1)
      const archived = yield* revisePreset(preset, Shelved.make({ at: later(2) }))
      const before = yield* storedPreset
      yield* Expect.refuses(store.append(makeDraft(3)), "Archived")
      yield* storedPreset.pipe(Expect.gives("all is as before", before))
      yield* revisePreset(archived, Resumed.make({ at: later(4) }))
      const { version } = yield* store.append(makeDraft(5))
      yield* Expect.that("the next number follows", version.version).is(2)
    }
  }
)
