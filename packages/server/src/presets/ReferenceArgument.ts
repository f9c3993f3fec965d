/**
 * Defines arguments and flags that name a preset or a version, such as `notes`, `notes@3`,
 * `notes@production` or `notes@latest`.
 */
import { isLabelName, reservedNames } from "@verbatim/core/workspace"
import { Option } from "effect"
import { Argument, Flag } from "effect/cli"
import { optional, textArgument } from "../command/flags.ts"
import type { Point, Pointed } from "./PresetCalls.ts"

/** The largest version number that every store can hold, with 32 bits. */
const versionMax = 2_147_483_647

const pointForm = "a version number, a label, designated or latest"

/** Parses a version number, a label, `designated` or `latest`. */
const toPoint = (text: string): Option.Option<Point> => {
  if (/^[1-9]\d{0,9}$/.test(text)) {
    return Number(text) > versionMax ? Option.none() : Option.some(Number(text))
  }
  return isLabelName(text) || reservedNames.includes(text) ? Option.some(text) : Option.none()
}

const toPointed = (text: string): Option.Option<Pointed> => {
  const [slug = "", ...points] = text.split("@")
  if (slug === "" || points.length > 1) return Option.none()
  return Option.map(toPoint(points[0] ?? "designated"), (point) => ({ slug, point }))
}

/** Creates an argument that names a preset and, optionally, a version. */
export const makeReferenceArgument = (name: string, description: string) =>
  textArgument(name, description).pipe(
    Argument.filterMap(
      toPointed,
      () => "a preset, optionally with @ and a version number, a label, designated or latest"
    )
  )

export const slugArgument = textArgument("slug", "Name of the preset")

/** The argument for a version of the preset. */
export const pointArgument = textArgument(
  "version",
  "Version number, label, designated or latest"
).pipe(Argument.filterMap(toPoint, () => pointForm))

const isVersion = (version: number): boolean => version >= 1 && version <= versionMax

const versionRule = () => "a version number"

const labelRule = () => "a lowercase letter, then at most 62 of a-z 0-9 _ -"

/** The argument for a version number. */
export const versionArgument = Argument.Int("version").pipe(
  Argument.withDescription("Version number"),
  Argument.filter(isVersion, versionRule)
)

export const labelArgument = textArgument("label", "Label, such as production").pipe(
  Argument.filter((text: string) => isLabelName(text), labelRule)
)

/** The flag for the version that the pointer must refer to before the command moves it. */
export const expectFlag = optional(
  Flag.Int("expect").pipe(Flag.filter(isVersion, versionRule)),
  "Expected current version number; if it differs, fail with status 2"
)

/** The flag for a label to move in place of the designation. */
export const labelFlag = Flag.String("label").pipe(
  Flag.withDescription("Move only this label; keep designation, name, description and status"),
  Flag.filter((text: string) => isLabelName(text), labelRule),
  Flag.optional,
  Flag.map(Option.getOrNull)
)
