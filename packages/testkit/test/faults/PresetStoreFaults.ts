import { PresetStore } from "@verbatim/core/ports"
import { PresetSlug, type PresetVersion } from "@verbatim/core/preset"
import { Effect, Option } from "effect"
import { whole } from "#src/samples/SamplePreset"
import { doBefore, plantFaults } from "./Fault.ts"
import { storedOf } from "./StoredPreset.ts"

const folded = (slug: PresetSlug): PresetSlug => PresetSlug.make(slug.toLowerCase())

export const presetStoreFaults = plantFaults(PresetStore, {
  "gives 64 writers of one new slug one preset with the versions 1 to 64": {
    "leaves a gap: a number is taken before the version is written": (
      { append },
      { presets, slugs }
    ) => ({
      append: doBefore(append, (draft) => {
        const preset = storedOf({ presets, slugs }, draft)
        if (preset?.latestVersion === 40) {
          presets.set(preset.id, { ...preset, latestVersion: 41 })
        }
      })
    })
  },
  "compares slugs byte by byte": {
    "folds the case of slugs": ({ append, find }) => ({
      append: (draft) => append({ ...draft, slug: folded(draft.slug) }),
      find: (workspaceId, slug) => find(workspaceId, folded(slug))
    })
  },
  "means by each append what the machine means": {
    "goes on designating the first version": ({ append }) => ({
      append: (draft) =>
        Effect.map(append(draft), ({ preset, version }) => ({
          preset: { ...preset, designatedVersion: 1 },
          version
        }))
    })
  },
  "finds what it answered, with the designated version": {
    "forgets the designated version of what it finds": ({ find, versions }) => ({
      find: (workspaceId, slug) =>
        Effect.gen(function* () {
          const found = yield* find(workspaceId, slug)
          if (Option.isNone(found)) return found
          const [version] = yield* versions(found.value.preset.id, whole)
          return version === undefined ? Option.none() : Option.some({ ...found.value, version })
        })
    })
  },
  "keeps every text as it is, null apart from empty": {
    "stores the empty text as null": ({ append }) => ({
      append: (draft) => append({ ...draft, systemPrompt: draft.systemPrompt || null })
    })
  },
  "keeps every name and description as it is, null apart from empty": {
    "stores an empty description as null": ({ revise }) => ({
      revise: (revision) => {
        const { description } = revision.next
        return revise({ ...revision, next: { ...revision.next, description: description || null } })
      }
    })
  },
  "keeps a property called __proto__ as a property": {
    "copies a configuration key by key": ({ append }) => ({
      append: (draft) => {
        const config: Record<string, (typeof draft.config)[string]> = {}
        for (const [name, value] of Object.entries(draft.config)) config[name] = value
        return append({ ...draft, config })
      }
    })
  },
  "lists all versions of a preset, oldest first, and none of an unknown one": {
    "sorts versions as texts": ({ versions }) => ({
      versions: (id, page) =>
        Effect.map(versions(id, page), (list) =>
          list.toSorted((a, b) => (`${a.version}` < `${b.version}` ? -1 : 1))
        )
    })
  },
  "leaves what was read as it was": {
    "hands out the list that it goes on writing to": ({ append }) => {
      const shared: Array<PresetVersion> = []
      return {
        append: (draft) =>
          Effect.tap(append(draft), ({ version }) => Effect.sync(() => shared.push(version))),
        versions: () => Effect.succeed(shared)
      }
    }
  },
  "refuses a workspace that does not exist, and writes nothing": {
    "does not look whether the workspace exists": ({ append }, { accounts }) => ({
      append: doBefore(append, (draft) => {
        const [account] = accounts.values()
        if (account !== undefined) accounts.set(draft.workspaceId, account)
      })
    })
  },
  "lets readers see a preset only with the version it designates": {
    "shows a preset before its new version can be read": ({ append }, { versions }) => ({
      append: (draft) =>
        Effect.gen(function* () {
          const answer = yield* append(draft)
          const whole = versions.get(answer.preset.id) ?? []
          versions.set(answer.preset.id, whole.slice(0, -1))
          yield* Effect.yieldNow
          versions.set(answer.preset.id, whole)
          return answer
        })
    })
  }
})
