/**
 * Creates versions from other versions: the given parts are new, and all other parts stay the same.
 * Apart from that, the same rules apply as for a creation.
 */
import { Effect, Option } from "effect"
import { Digest } from "effect/crypto"
import { refuseErased } from "../../domain/preset/PresetChange.ts"
import type { VersionFromParts, VersionParts } from "../../domain/preset/PresetCommand.ts"
import { changeParts, toRequestFormat } from "../../domain/preset/PresetContent.ts"
import { partsFingerprint } from "../../domain/preset/PresetFingerprint.ts"
import { type DesignatedPreset, findVersionNumber } from "../../domain/preset/VersionSelector.ts"
import { sort } from "../../domain/request/RequestFormat.ts"
import { PresetStoreError } from "../../ports/PresetStore.ts"
import { trace } from "../../ports/Trace.ts"
import {
  type CreatedPreset,
  makeCreations,
  readIdempotencyKey,
  requireWriteAccess
} from "./Creations.ts"
import { makePresetChanges } from "./PresetChanges.ts"

/** Creates the method that creates versions from other versions. */
export const makePresetParts = Effect.gen(function* () {
  const { create, findMade } = yield* makeCreations
  const { attempt, getVersion } = yield* makePresetChanges
  const withDigest = Effect.provideService(Digest.Digest, yield* Digest.Digest)

  const createFromVersion = trace("PresetParts.createFromVersion")(function* <E, R>({
    condition,
    idempotencyKey,
    principal,
    slug: text,
    wanted
  }: VersionFromParts<E, R>) {
    const slug = yield* requireWriteAccess({ principal, slug: text })
    const key = yield* readIdempotencyKey(idempotencyKey)
    const parts = yield* wanted
    const { comment, from = "designated", stage = false } = parts
    const fingerprint = yield* withDigest(partsFingerprint(slug, parts))
    const makeFrom = Effect.fnUntraced(function* ({ preset, version: held }: DesignatedPreset) {
      const number = yield* Effect.fromResult(findVersionNumber(preset, from))
      const version = number === held.version ? held : yield* getVersion(preset, number)
      if (version.erased !== null) return yield* refuseErased(preset, version)
      const { body, format, wins } = yield* Effect.fromResult(changeParts(version, parts))
      return yield* create({
        ...{ principal, slug, format, wins, comment, stage, idempotencyKey, fingerprint },
        condition: { revision: preset.revision },
        body: Effect.succeed(body)
      }).pipe(Effect.catchTag("ConditionFailed", () => superseded))
    })
    const made = attempt({ principal, slug, condition }, makeFrom)
    if (Option.isNone(key)) return yield* made
    const { workspaceId } = principal
    // A retry may have been refused only because the first request has already made its change.
    return yield* made.pipe(
      Effect.catch((error) =>
        Effect.flatMap(
          findMade({ stage, workspaceId }, { key: key.value, fingerprint }),
          Option.match({
            onNone: () => Effect.fail(error),
            onSome: (first) => Effect.succeed(toRepeatedAnswer(first, parts))
          })
        )
      )
    )
  })

  return {
    /**
     * Creates the next version of a preset from an existing one. The new fields are validated as in
     * a creation in the existing version's format. The new version is written only if the preset
     * has not changed since `from` was read. If two callers each change a field, no change is lost,
     * even if versions are only staged.
     *
     * A retry with an idempotency key returns the version from the first request, even while that
     * request is still running, and whatever has happened to `from` since.
     */
    createFromVersion
  }
})

/** Converts the result of the first request to that of a retry. */
const toRepeatedAnswer = (
  made: DesignatedPreset,
  { set = {}, stage = false }: VersionParts
): CreatedPreset => ({
  ...made,
  notKept: sort(toRequestFormat(made.version.format), set).notKept,
  isStaged: stage && made.version.version > 1
})

/** The preset has changed since it was read, so the creation starts over. */
const superseded = Effect.fail(
  new PresetStoreError({ operation: "write", reason: { _tag: "Superseded" } })
)
