import { PresetStore, type Stores } from "@verbatim/core/ports"
import { PresetSlug, type PresetVersion } from "@verbatim/core/preset"
import { Effect, Option } from "effect"
import { whole } from "#src/samples/SamplePreset"
import { doAfterRefusal, doBefore, type Fault, replacing } from "./Fault.ts"
import { storedOf } from "./StoredPreset.ts"

const folded = (slug: PresetSlug): PresetSlug => PresetSlug.make(slug.toLowerCase())

export const presetStoreFaults: ReadonlyArray<Fault<Stores>> = [
  {
    fault: "leaves a gap: a number is taken before the version is written",
    foundBy: "gives 64 writers of one new slug one preset with the versions 1 to 64",
    layer: replacing(PresetStore, ({ append }, { presets, slugs }) => ({
      append: doBefore(append, (draft) => {
        const preset = storedOf({ presets, slugs }, draft)
        if (preset?.latestVersion === 40) {
          presets.set(preset.id, { ...preset, latestVersion: 41 })
        }
      })
    }))
  },
  {
    fault: "loses an update: the number is read before others write",
    foundBy: "gives 64 writers of one new slug one preset with the versions 1 to 64",
    layer: replacing(PresetStore, ({ append }, { presets, slugs }) => ({
      append: (draft) =>
        Effect.gen(function* () {
          const seen = storedOf({ presets, slugs }, draft)
          yield* Effect.yieldNow
          if (seen === undefined) slugs.delete(`${draft.workspaceId}/${draft.slug}`)
          else presets.set(seen.id, seen)
          return yield* append(draft)
        })
    }))
  },
  {
    fault: "folds the case of slugs",
    foundBy: "compares slugs byte by byte",
    layer: replacing(PresetStore, ({ append, find }) => ({
      append: (draft) => append({ ...draft, slug: folded(draft.slug) }),
      find: (workspaceId, slug) => find(workspaceId, folded(slug))
    }))
  },
  {
    fault: "goes on designating the first version",
    foundBy: "means by each append what the machine means",
    layer: replacing(PresetStore, ({ append }) => ({
      append: (draft) =>
        Effect.map(append(draft), ({ preset, version }) => ({
          preset: { ...preset, designatedVersion: 1 },
          version
        }))
    }))
  },
  {
    fault: "forgets the designated version of what it finds",
    foundBy: "finds what it answered, with the designated version",
    layer: replacing(PresetStore, ({ find, versions }) => ({
      find: (workspaceId, slug) =>
        Effect.gen(function* () {
          const found = yield* find(workspaceId, slug)
          if (Option.isNone(found)) return found
          const [version] = yield* versions(found.value.preset.id, whole)
          return version === undefined ? Option.none() : Option.some({ ...found.value, version })
        })
    }))
  },
  {
    fault: "stores the empty text as null",
    foundBy: "keeps every text as it is, null apart from empty",
    layer: replacing(PresetStore, ({ append }) => ({
      append: (draft) => append({ ...draft, systemPrompt: draft.systemPrompt || null })
    }))
  },
  {
    fault: "stores an empty description as null",
    foundBy: "keeps every name and description as it is, null apart from empty",
    layer: replacing(PresetStore, ({ revise }) => ({
      revise: (revision) => {
        const { description } = revision.next
        return revise({ ...revision, next: { ...revision.next, description: description || null } })
      }
    }))
  },
  {
    fault: "copies a configuration key by key",
    foundBy: "keeps a property called __proto__ as a property",
    layer: replacing(PresetStore, ({ append }) => ({
      append: (draft) => {
        const config: Record<string, (typeof draft.config)[string]> = {}
        for (const [name, value] of Object.entries(draft.config)) config[name] = value
        return append({ ...draft, config })
      }
    }))
  },
  {
    fault: "sorts versions as texts",
    foundBy: "lists all versions of a preset, oldest first, and none of an unknown one",
    layer: replacing(PresetStore, ({ versions }) => ({
      versions: (id, page) =>
        Effect.map(versions(id, page), (list) =>
          list.toSorted((a, b) => (`${a.version}` < `${b.version}` ? -1 : 1))
        )
    }))
  },
  {
    fault: "hands out the list that it goes on writing to",
    foundBy: "leaves what was read as it was",
    layer: replacing(PresetStore, ({ append }) => {
      const shared: Array<PresetVersion> = []
      return {
        append: (draft) =>
          Effect.tap(append(draft), ({ version }) => Effect.sync(() => shared.push(version))),
        versions: () => Effect.succeed(shared)
      }
    })
  },
  {
    fault: "does not look whether the workspace exists",
    foundBy: "refuses a workspace that does not exist, and writes nothing",
    layer: replacing(PresetStore, ({ append }, { accounts }) => ({
      append: doBefore(append, (draft) => {
        const [account] = accounts.values()
        if (account !== undefined) accounts.set(draft.workspaceId, account)
      })
    }))
  },
  {
    fault: "writes the version before it looks for the workspace",
    foundBy: "refuses a workspace that does not exist, and writes nothing",
    layer: replacing(PresetStore, ({ append }, { versions }) => ({
      append: doAfterRefusal(append, ({ at, versionId: id, ...draft }) => {
        const instants = { createdAt: at, updatedAt: at }
        versions.set(draft.presetId, [{ ...draft, ...instants, id, version: 1 }])
      })
    }))
  },
  {
    fault: "shows a preset before its new version can be read",
    foundBy: "lets readers see a preset only with the version it designates",
    layer: replacing(PresetStore, ({ append }, { versions }) => ({
      append: (draft) =>
        Effect.gen(function* () {
          const answer = yield* append(draft)
          const whole = versions.get(answer.preset.id) ?? []
          versions.set(answer.preset.id, whole.slice(0, -1))
          yield* Effect.yieldNow
          versions.set(answer.preset.id, whole)
          return answer
        })
    }))
  }
]
