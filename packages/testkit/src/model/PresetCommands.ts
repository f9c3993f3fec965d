/** Sends the model's commands to `Presets`, and reads the final content of a store. */
import { PresetStore } from "@verbatim/core/ports"
import { type Preset, PresetSlug, type PresetVersion } from "@verbatim/core/preset"
import { Presets } from "@verbatim/core/services"
import { LabelName, type Principal, toLabelScope, type WorkspaceId } from "@verbatim/core/workspace"
import { Context, Effect, Layer, Option } from "effect"
import { Digest, SecureRandom } from "effect/crypto"
import { type Command, format, holderId, type Kept } from "./PresetModel.ts"

type Store = PresetStore["Service"]

/**
 * Makes a store yield before each call. If it answered immediately, callers would never overlap.
 */
const yielding = (store: Store): Store => ({
  ...store,
  append: (draft) => Effect.andThen(Effect.yieldNow, store.append(draft)),
  revise: (revision) => Effect.andThen(Effect.yieldNow, store.revise(revision)),
  find: (id, slug) => Effect.andThen(Effect.yieldNow, store.find(id, slug)),
  version: (id, number) => Effect.andThen(Effect.yieldNow, store.version(id, number))
})

/**
 * Creates a preset service over a store, as each process does. Each service makes its own changes
 * one at a time.
 */
export const makePresets = (store: Store) =>
  Effect.map(
    Layer.build(
      Presets.layer.pipe(
        Layer.provide(Layer.succeed(PresetStore, yielding(store))),
        Layer.provide([Digest.layerWebCrypto, SecureRandom.layerWebCrypto]),
        Layer.fresh
      )
    ),
    (context) => Context.get(context, Presets)
  )

/**
 * The labels in tests. There are few, so that writers collide. One is named like a property that
 * every object has.
 */
export const labels = ["production", "staging", "constructor"] as const

/** Adds all label scopes to a caller. */
export const asHolder = (principal: Principal): Principal => ({
  ...principal,
  userId: holderId,
  scopes: ["presets:write", ...labels.map((label) => toLabelScope(LabelName.make(label)))]
})

/** An answer from `Presets`: a preset, or only a version. */
export interface PresetAnswer {
  readonly preset: Preset | null
  readonly version: PresetVersion | null
}

type Service = Presets["Service"]

/** The workspace and slug of a preset. */
interface Named {
  readonly principal: Principal
  readonly slug: string
}

export const sendCommand = (presets: Service, command: Command, named: Named) =>
  Effect.map(
    send(presets, command, named),
    (answer): PresetAnswer => ({ preset: null, version: null, ...answer })
  )

const bodyOf = (text: string) =>
  Effect.succeed({ model: "gpt-4o", instructions: text, input: "Hi." })

const send = (
  presets: Service,
  command: Command,
  named: Named
): Effect.Effect<Partial<PresetAnswer>, unknown> => {
  const { principal, slug } = named
  switch (command._tag) {
    case "Create": {
      const { key: idempotencyKey, stage, text } = command
      return presets.create({ ...named, body: bodyOf(text), stage, idempotencyKey })
    }
    case "Derive": {
      const { field, from, stage, value } = command
      const parts = { from: from ?? ("designated" as const), set: { [field]: value }, stage }
      return presets.createFromVersion({ ...named, wanted: Effect.succeed(parts) })
    }
    case "Designate":
      return presets.designate({ ...named, wanted: Effect.succeed(command.version) })
    case "MoveLabel": {
      const { label, version } = command
      return presets.moveLabel({ ...named, label, wanted: Effect.succeed(version) })
    }
    case "RemoveLabel":
      return Effect.map(presets.removeLabel({ ...named, label: command.label }), toAnswer)
    case "Erase":
      return presets.erase({ ...named, version: command.version })
    case "Revise":
      return presets.revise({ ...named, wanted: Effect.succeed(command.change) })
    case "Remove":
      return Effect.map(presets.remove(named), toAnswer)
    case "Look":
    case "List":
      return presets.get(named)
    case "Resolve":
      return Effect.map(presets.pin({ principal, preset: `${slug}@${command.label}` }), toVersion)
    case "Protect":
    case "Unprotect": {
      const { workspaceId } = principal
      const request = { by: { kind: "operator" as const, workspaceId }, label: command.label }
      const decide = command._tag === "Protect" ? presets.protectLabel : presets.unprotectLabel
      return Effect.as(decide(request), {})
    }
  }
}

const toAnswer = (preset: Preset) => ({ preset })

const toVersion = ({ version }: Pick<PresetAnswer, "version">) => ({ version })

/** Formats an answer as the model does. */
export const describeAnswer = (command: Command, { preset, version }: PresetAnswer): string => {
  switch (command._tag) {
    case "Create":
    case "Derive":
      return version === null ? "" : format.made(version)
    case "Resolve":
      return `version ${version?.version}`
    case "Protect":
    case "Unprotect":
      return ""
    default:
      return format.preset(preset, version)
  }
}

/** Returns the name of a refusal, or the reason why a store did not write. */
export const refusalOf = (error: unknown): string => {
  const { _tag, reason } = (typeof error === "object" && error !== null ? error : {}) as {
    readonly _tag?: unknown
    readonly reason?: unknown
  }
  if (typeof reason === "string") return reason
  if (typeof reason === "object" && reason !== null && "_tag" in reason) return String(reason._tag)
  return String(_tag ?? error)
}

/** A page size that is larger than any list of a preset under test. */
const page = { offset: 0, limit: 10_000 }

/** Reads everything that the store keeps about a preset. */
export const readKept = Effect.fnUntraced(function* (workspaceId: WorkspaceId, slug: string) {
  const store = yield* PresetStore
  const found = yield* store.find(workspaceId, PresetSlug.make(slug))
  if (Option.isNone(found)) return { preset: null, versions: [], designations: [], moves: [] }
  const { preset } = found.value
  const { id } = preset
  const moves = yield* Effect.forEach(labels, (label) =>
    store.labelMoves(id, { ...page, label: LabelName.make(label) })
  )
  const kept: Kept = {
    preset,
    versions: yield* store.versions(id, page),
    designations: yield* store.designations(id, page),
    moves: moves.flat()
  }
  return kept
})
