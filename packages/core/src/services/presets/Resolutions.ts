/** Resolves references to presets, now or at a given time, and merges the result into requests. */
import { formatReference, parseReference, takeReference } from "@verbatim/resolution"
import { type DateTime, Effect, Option } from "effect"
import type { Preset } from "../../domain/preset/Preset.ts"
import { refuseErased, refuseInactive } from "../../domain/preset/PresetChange.ts"
import type { PresetSelection } from "../../domain/preset/PresetCommand.ts"
import {
  LabelNotFound,
  type PresetInactive,
  PresetNotFound,
  type VersionErased,
  type VersionNotFound
} from "../../domain/preset/PresetRefusal.ts"
import {
  type PresetReference,
  parsePresetReference,
  type RequestToResolve,
  type ResolvedVersion,
  resolveRequest
} from "../../domain/preset/PresetResolution.ts"
import type { PresetVersion } from "../../domain/preset/PresetVersion.ts"
import {
  type DesignatedPreset,
  findVersionNumber,
  type VersionSelector
} from "../../domain/preset/VersionSelector.ts"
import { InvalidRequest } from "../../domain/schema/Problem.ts"
import * as LabelName from "../../domain/workspace/LabelName.ts"
import { PresetStore, type PresetStoreError } from "../../ports/PresetStore.ts"
import { trace } from "../../ports/Trace.ts"
import { makePresetChanges } from "./PresetChanges.ts"

/** The reasons why a reference cannot be resolved. */
type NotPinned =
  | InvalidRequest
  | LabelNotFound
  | PresetInactive
  | PresetNotFound
  | PresetStoreError
  | VersionErased
  | VersionNotFound

/** Creates the methods that resolve references and requests. */
export const makeResolutions = Effect.gen(function* () {
  const { get } = yield* makePresetChanges
  const pinIn = yield* makePinIn

  const pin = trace("Resolutions.pin")(({ at, preset: text, principal }: PresetSelection) =>
    Effect.flatMapEager(Effect.fromResult(parsePresetReference(text)), (reference) =>
      Effect.flatMap(get({ principal, slug: reference.slug }), (found) =>
        pinIn(found, { ...reference, at })
      )
    )
  )

  const resolve = trace("Resolutions.resolve")(
    (wanted: PresetSelection, request: RequestToResolve["request"]) =>
      Effect.flatMapEager(withoutReference(wanted.preset, request), (rest) =>
        Effect.flatMap(pin(wanted), (meant) =>
          Effect.fromResult(resolveRequest(meant, { request: rest, format: wanted.format }))
        )
      )
  )

  const resolveNamed = Effect.fnUntraced(function* (
    wanted: Omit<PresetSelection, "preset">,
    request: RequestToResolve["request"]
  ) {
    const named = takeReference(request)
    if (typeof named === "string") return yield* misnamed[named]
    return yield* resolve({ ...wanted, preset: named.preset }, named.request)
  })

  return {
    /**
     * Returns the version that `slug`, `slug@version` or `slug@label` resolves to, now or at a
     * given time. `slug` alone resolves to the designated version. Only references to active
     * presets can be resolved.
     */
    pin,
    /**
     * Merges the version that a reference resolves to into a request. If the request itself names a
     * preset, it must be the same one, and its reference is left out of the result. The request's
     * `variables` fill the prompt; if a variable has no value, the request fails with
     * `InvalidRequest`.
     */
    resolve,
    /** Merges into a request the version that it names in `preset`, `model` or `prompt`. */
    resolveNamed
  }
})

/**
 * Creates a function that returns the version that a reference resolves to. `pin` and this function
 * run for every inference request, so they are written without generators.
 */
const makePinIn = Effect.gen(function* () {
  const store = yield* PresetStore
  const { getVersion } = yield* makePresetChanges

  /** Returns the version that was designated or labelled at a given time. */
  const pinAt = Effect.fnUntraced(function* (
    { id, slug }: Preset,
    { at, label: name = designated }: { readonly at: DateTime.Utc; readonly label?: string }
  ) {
    if (name === latest) return yield* timeless
    if (name === designated) {
      const found = yield* store.designatedAt(id, at)
      return Option.isNone(found) ? yield* new PresetNotFound({ slug }) : found.value
    }
    const label = yield* Effect.fromResult(LabelName.decode(name))
    const found = yield* store.labelledAt(id, { label, at })
    return Option.isNone(found) ? yield* new LabelNotFound({ slug, label }) : found.value
  })

  const pinNow = ({ preset, version }: DesignatedPreset, point: VersionSelector) =>
    Effect.flatMapEager(Effect.fromResult(findVersionNumber(preset, point)), (number) =>
      number === version.version ? Effect.succeed(version) : getVersion(preset, number)
    )

  return (
    found: DesignatedPreset,
    { at, label, slug, version: number }: PresetReference & TimeWanted
  ): Effect.Effect<ResolvedVersion, NotPinned> => {
    const { preset } = found
    if (preset._tag !== "Active") return Effect.fail(refuseInactive(preset))
    // A version number always resolves to the same version.
    const meant: Effect.Effect<PresetVersion, NotPinned> =
      at === undefined || number !== undefined
        ? pinNow(found, number ?? label ?? designated)
        : pinAt(preset, label === undefined ? { at } : { at, label })
    return Effect.flatMapEager(
      meant,
      (version): Effect.Effect<ResolvedVersion, NotPinned> =>
        version.erased === null
          ? Effect.succeed(label === undefined ? { slug, version } : { slug, version, label })
          : Effect.fail(refuseErased(preset, version))
    )
  }
})

/** The time at which the reference is resolved; now if undefined. */
type TimeWanted = Pick<PresetSelection, "at">

/** The words for a version that a reference can contain instead of a label. */
const designated = "designated"
const latest = "latest"

const timeless = new InvalidRequest({
  problems: [{ path: "at", rule: "must not be used with latest, which is never designated" }]
})

const refuseName = (rule: string) => new InvalidRequest({ problems: [{ path: "preset", rule }] })

const misnamed = {
  none: refuseName("must name a preset, here, in model or in prompt"),
  noText: refuseName("must be text"),
  twice: refuseName("must name the same preset as model and prompt")
}

const differentName = refuseName("must not name another preset, version or label than requested")

/** Whether a reference in a request is the same as the requested one, or names no version. */
const namesSame = (wanted: string, named: string): boolean => {
  const [one, other] = [parseReference(wanted), parseReference(named)]
  if (one === undefined || other === undefined || one.slug !== other.slug) return false
  const isOpen = other.version === undefined && other.label === undefined
  return isOpen || formatReference(one) === formatReference(other)
}

/**
 * Removes the reference from a request, and refuses one that differs from the requested reference.
 */
const withoutReference = (
  wanted: string,
  request: RequestToResolve["request"]
): Effect.Effect<RequestToResolve["request"], InvalidRequest> => {
  const named = takeReference(request)
  if (named === "none") return Effect.succeed(request)
  if (typeof named === "string") return Effect.fail(misnamed[named])
  return namesSame(wanted, named.preset)
    ? Effect.succeed(named.request)
    : Effect.fail(differentName)
}
