/**
 * What a request would become: which fields would be kept, and what would change of the preset that
 * is there. Nothing is stored.
 */
import { Effect, Option } from "effect"
import { refuseInactive } from "../../domain/preset/PresetChange.ts"
import type { PresetCreation } from "../../domain/preset/PresetCommand.ts"
import { judgeWins, type PresetContent } from "../../domain/preset/PresetContent.ts"
import { diff } from "../../domain/preset/PresetDiff.ts"
import {
  ConditionFailed,
  type ManagementKeyRequired,
  type PresetCondition,
  type PresetInactive,
  unmetBy
} from "../../domain/preset/PresetRefusal.ts"
import type { PresetPreview } from "../../domain/preset/PresetResolution.ts"
import * as PresetSlug from "../../domain/preset/PresetSlug.ts"
import type { DesignatedPreset } from "../../domain/preset/VersionPoint.ts"
import { responses } from "../../domain/request/RequestFormat.ts"
import { preview } from "../../domain/request/RequestPreview.ts"
import type { InvalidRequest } from "../../domain/schema/Problem.ts"
import { PresetStore, type PresetStoreError } from "../../ports/PresetStore.ts"
import { trace } from "../../ports/Trace.ts"
import { commentOf, writable } from "./Creations.ts"

/** A creation that is only tried; without a slug, for no preset in particular. */
export interface PreviewRequest<E, R>
  extends Omit<PresetCreation<E, R>, "slug" | "idempotencyKey" | "condition"> {
  readonly slug?: string | undefined
}

/** Why a request would make no version. */
type NotPreviewed = ConditionFailed | InvalidRequest | PresetInactive | PresetStoreError

/** What a request would become. */
export interface Previews {
  /** Anybody may ask what a request would become. */
  readonly previewAgainst: <E, R>(
    wanted: PreviewRequest<E, R>
  ) => Effect.Effect<PresetPreview, Exclude<NotPreviewed, ConditionFailed> | E, R>
  /** A creation with all its checks but that of the idempotency key, which it does not use. */
  readonly rehearse: <E, R>(
    creation: PresetCreation<E, R>
  ) => Effect.Effect<PresetPreview, NotPreviewed | ManagementKeyRequired | E, R>
}

/** Previews over the store of presets. */
export const makePreviews: Effect.Effect<Previews, never, PresetStore> = Effect.gen(function* () {
  const store = yield* PresetStore

  const tell = Effect.fnUntraced(function* <E, R>(
    {
      body,
      format = responses,
      principal,
      sessionIdHeader,
      slug: text,
      wins: named
    }: PreviewRequest<E, R>,
    condition: PresetCondition = {}
  ) {
    const slug = text === undefined ? undefined : yield* Effect.fromResult(PresetSlug.decode(text))
    const told = yield* Effect.fromResult(preview(format, { body: yield* body, sessionIdHeader }))
    const wins = yield* Effect.fromResult(judgeWins(told.config, named))
    if (slug === undefined) return { ...told, version: null, changes: null }
    const found = yield* store.find(principal.workspaceId, slug)
    const unmet = unmetBy(
      condition,
      Option.getOrUndefined(Option.map(found, ({ preset }) => preset))
    )
    if (unmet !== undefined) return yield* new ConditionFailed({ slug, unmet })
    if (Option.isNone(found)) return { ...told, version: 1, changes: null }
    if (found.value.preset._tag === "Archived") {
      return yield* refuseInactive(found.value.preset)
    }
    return { ...told, ...changeOf(found.value, { ...told, format: format.name, wins }) }
  })

  const methods: Previews = {
    previewAgainst: trace("Previews.previewAgainst")((wanted) =>
      Effect.catchTag(tell(wanted), "ConditionFailed", Effect.die)
    ),
    rehearse: trace("Previews.rehearse")(function* (creation) {
      yield* writable(creation)
      yield* commentOf(creation.comment ?? null)
      return yield* tell(creation, creation.condition)
    })
  }
  return methods
})

/** The version that would come next, and how it differs from the designated one. */
const changeOf = ({ preset, version: from }: DesignatedPreset, content: PresetContent) => {
  const version = preset.latestVersion + 1
  return { version, changes: diff(from, { ...content, version }) }
}
