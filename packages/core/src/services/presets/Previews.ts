/**
 * Previews the creation of a version: which fields would be kept, and how the current preset would
 * change. Nothing is stored.
 */
import { Effect, Option } from "effect"
import { refuseInactive } from "../../domain/preset/PresetChange.ts"
import type { PresetCreation } from "../../domain/preset/PresetCommand.ts"
import { type PresetContent, validateWins } from "../../domain/preset/PresetContent.ts"
import { diff } from "../../domain/preset/PresetDiff.ts"
import {
  ConditionFailed,
  findUnmetCondition,
  type PresetCondition,
  type PresetInactive
} from "../../domain/preset/PresetRefusal.ts"
import type { PresetPreview } from "../../domain/preset/PresetResolution.ts"
import * as PresetSlug from "../../domain/preset/PresetSlug.ts"
import type { DesignatedPreset } from "../../domain/preset/VersionSelector.ts"
import { responses } from "../../domain/request/RequestFormat.ts"
import { preview } from "../../domain/request/RequestPreview.ts"
import type { InvalidRequest } from "../../domain/schema/Problem.ts"
import { PresetStore, type PresetStoreError } from "../../ports/PresetStore.ts"
import { trace } from "../../ports/Trace.ts"
import { parseComment, requireWriteAccess } from "./Creations.ts"

/**
 * A request for the preview of a creation. Without a slug, the preview is not for a particular
 * preset.
 */
export interface PreviewRequest<E, R>
  extends Omit<PresetCreation<E, R>, "slug" | "idempotencyKey" | "condition"> {
  readonly slug?: string | undefined
}

/** The reasons why a request would create no version. */
type NotPreviewed = ConditionFailed | InvalidRequest | PresetInactive | PresetStoreError

/** Creates the methods that preview creations. */
export const makePreviews = Effect.gen(function* () {
  const store = yield* PresetStore

  const describe = Effect.fnUntraced(function* <E, R>(
    {
      body,
      format = responses,
      principal,
      sessionIdHeader,
      slug: text,
      wins: named
    }: PreviewRequest<E, R>,
    condition: PresetCondition = {}
  ): Effect.fn.Return<PresetPreview, NotPreviewed | E, R> {
    const slug = text === undefined ? undefined : yield* Effect.fromResult(PresetSlug.decode(text))
    const read = yield* Effect.fromResult(preview(format, { body: yield* body, sessionIdHeader }))
    const wins = yield* Effect.fromResult(validateWins(read.config, named))
    if (slug === undefined) return { ...read, version: null, changes: null }
    const found = yield* store.find(principal.workspaceId, slug)
    const unmet = findUnmetCondition(
      condition,
      Option.getOrUndefined(Option.map(found, ({ preset }) => preset))
    )
    if (unmet !== undefined) return yield* new ConditionFailed({ slug, unmet })
    if (Option.isNone(found)) return { ...read, version: 1, changes: null }
    if (found.value.preset._tag === "Archived") {
      return yield* refuseInactive(found.value.preset)
    }
    return { ...read, ...changeOf(found.value, { ...read, format: format.name, wins }) }
  })

  return {
    /** Previews a creation. Every caller is allowed to do so. */
    previewAgainst: trace("Previews.previewAgainst")(<E, R>(wanted: PreviewRequest<E, R>) =>
      Effect.catchTag(describe(wanted), "ConditionFailed", Effect.die)
    ),
    /**
     * Runs all checks for a creation, except that of the idempotency key, because previews use
     * none.
     */
    rehearse: trace("Previews.rehearse")(function* <E, R>(creation: PresetCreation<E, R>) {
      yield* requireWriteAccess(creation)
      yield* parseComment(creation.comment ?? null)
      return yield* describe(creation, creation.condition)
    })
  }
})

/**
 * Returns the number of the version that would be created, and its differences from the designated
 * one.
 */
const changeOf = ({ preset, version: from }: DesignatedPreset, content: PresetContent) => {
  const version = preset.latestVersion + 1
  return { version, changes: diff(from, { ...content, version }) }
}
