import { type Made, PresetStore } from "@verbatim/core/ports"
import { eraseContent } from "@verbatim/core/preset"
import { Effect, Option } from "effect"
import { doAfterRefusal, plantFaults, rewriteRows } from "./Fault.ts"

export const presetHousekeepingFaults = plantFaults(PresetStore, {
  "adds a staged version and goes on designating the one before": {
    "designates what is only staged": ({ append }) => ({
      append: (draft) => append({ ...draft, stage: false })
    }),
    "keeps a designation of what is only staged": ({ append }, { designations }) => ({
      append: (draft) =>
        Effect.tap(append(draft), ({ preset, version }) =>
          Effect.sync(() => {
            const list = designations.get(preset.id)
            const last = list?.at(-1)
            if (!draft.stage || last === undefined || version.version === 1) return
            list?.push({ ...last, revision: preset.revision, from: last.to, to: version.version })
          })
        )
    }),
    "forgets the comment of a version": ({ append }) => ({
      append: (draft) => append({ ...draft, comment: null })
    })
  },
  "adds a staged draft once, with its key too, and tells repeats what is designated now": {
    "shows a repeat the staged version as designated": ({ append }) => ({
      append: (draft) => append(draft.versionId.endsWith("2") ? { ...draft, stage: false } : draft)
    })
  },
  "takes the content of a version away wherever it is shown, and keeps the rest of it": {
    "erases nothing": ({ revise }) => ({
      revise: ({ erasure: _, ...revision }) => revise(revision)
    }),
    "keeps a copy for repeats of the draft": ({ revise }, { drafted }) => ({
      revise: (revision) =>
        Effect.suspend(() => {
          const kept = new Map(drafted)
          return Effect.tap(revise(revision), () =>
            Effect.sync(() => {
              for (const [id, version] of kept) drafted.set(id, version)
            })
          )
        })
    }),
    "keeps the digest of the request": ({ revise }, { presetKeys }) => ({
      revise: (revision) =>
        Effect.tap(revise(revision), () =>
          rewriteRows(presetKeys, () => ({ fingerprint: "1".repeat(64) }))
        )
    }),
    "frees the key of an erased version": ({ revise }, { presetKeys }) => ({
      revise: (revision) =>
        Effect.tap(revise(revision), () => Effect.sync(() => presetKeys.clear()))
    })
  },
  "erases nothing when the preset has changed since": {
    "erases although it refuses": ({ revise }, { versions }) => ({
      revise: doAfterRefusal(revise, ({ erasure, next: { id } }) => {
        const list = versions.get(id)
        const [first] = list ?? []
        if (erasure === undefined || first === undefined) return
        list?.splice(0, 1, eraseContent(first, { at: erasure.at, by: erasure.by }))
      })
    })
  },
  "removes an archived preset at once: nothing shows it, and its slug and keys are free": {
    "takes a removal for done": () => ({ remove: () => Effect.void }),
    "shows a removed preset in lists": ({ remove }, { presets }) => ({
      remove: (removal) =>
        Effect.suspend(() => {
          const kept = presets.get(removal.presetId)
          return Effect.tap(remove(removal), () =>
            Effect.sync(() => kept && presets.set(kept.id, kept))
          )
        })
    }),
    "keeps what was made under the keys of a removed preset": ({ append, made }) => {
      const kept = new Map<string, Made>()
      return {
        append: (draft) =>
          Effect.tap(append(draft), (answer) =>
            Effect.sync(() => {
              if (Option.isNone(draft.request)) return
              const { fingerprint, key } = draft.request.value
              if (!kept.has(key)) kept.set(key, { fingerprint, made: answer })
            })
          ),
        made: (id, key) =>
          Effect.map(made(id, key), (now) =>
            Option.orElse(now, () => Option.fromUndefinedOr(kept.get(key)))
          )
      }
    }
  },
  "leaves nothing of a removed preset once its rows are swept, a few at a time": {
    "leaves the versions of a removed preset": ({ remove }, { versions }) => ({
      remove: (removal) =>
        Effect.suspend(() => {
          const kept = versions.get(removal.presetId) ?? []
          return Effect.tap(remove(removal), () =>
            Effect.sync(() => versions.set(removal.presetId, kept))
          )
        })
    })
  },
  "removes no preset that is not archived, or that was changed since": {
    "removes whatever it is asked to": ({ remove }, { presets }) => ({
      remove: (removal) =>
        Effect.suspend(() => {
          const stored = presets.get(removal.presetId)
          if (stored === undefined) return remove(removal)
          presets.set(stored.id, { ...stored, _tag: "Archived" })
          return remove({ ...removal, expectedRevision: stored.revision })
        })
    })
  },
  "removes no preset whose label was taken for free and is protected": {
    "removes protected labels with their preset": ({ remove }) => ({
      remove: (removal) => remove({ ...removal, freeLabels: [] })
    })
  },
  "removes a preset once, however often it is asked, and no other one": {
    "removes what has the slug now": ({ remove }, { presets, slugs }) => {
      const removed = new Set<string>()
      return {
        remove: (removal) =>
          Effect.suspend(() => {
            if (!removed.has(removal.presetId)) {
              removed.add(removal.presetId)
              return remove(removal)
            }
            for (const [key, id] of [...slugs]) {
              slugs.delete(key)
              presets.delete(id)
            }
            return Effect.void
          })
      }
    }
  },
  "clears a workspace of removed presets and protected labels too": {
    "leaves the protected labels of a workspace": ({ clear }, { protectedLabels }) => ({
      clear: (id, rowMax) =>
        Effect.suspend(() => {
          const kept = protectedLabels.get(id) ?? []
          return Effect.tap(clear(id, rowMax), () =>
            Effect.sync(() => protectedLabels.set(id, kept))
          )
        })
    })
  }
})
