/** What a host does with the labels of presets. */
import { LabelNotFound } from "@verbatim/core/preset"
import { Effect } from "effect"
import {
  type Label,
  type LabelMove,
  type ProtectedLabel,
  toLabel,
  toLabelMove,
  toProtectedLabel
} from "../view/Label.ts"
import {
  type Ask,
  conditionOf,
  type Page,
  type PageWanted,
  type PresetReference,
  pageOf,
  type VersionPoint,
  withScopes
} from "./Asking.ts"
import type { Asker } from "./Workspaces.ts"

/** A label of a preset. */
export interface LabelReference extends PresetReference {
  readonly label: string
}

/** A label that is to be moved or removed. */
export interface LabelWrite extends LabelReference {
  /** Id of the version that it must point to, or null: there must be no such label. */
  readonly ifVersion?: string | null
  /**
   * What the user may do besides: a label that is protected takes `labels:<name>` here.
   * Unprotected ones take nothing.
   */
  readonly scopes?: ReadonlyArray<string>
}

/** Labels of a host's presets. */
export interface LabelMethods {
  /** The labels of a preset, by name. */
  readonly labels: (preset: PresetReference) => Promise<ReadonlyArray<Label>>
  /** Where one of them points. */
  readonly label: (label: LabelReference) => Promise<Label>
  /** Points a label to a version; makes the label where there is none. */
  readonly moveLabel: (
    write: LabelWrite & { readonly version: VersionPoint }
  ) => Promise<Omit<Label, "isProtected">>
  readonly removeLabel: (write: LabelWrite) => Promise<void>
  /** Who moved a label when, in the order in which it happened. */
  readonly labelMoves: (label: LabelReference & PageWanted) => Promise<Page<LabelMove>>
  readonly protectedLabels: (wanted?: Asker) => Promise<ReadonlyArray<ProtectedLabel>>
  /** From now on only those who have its scope move the label, in all presets of the workspace. */
  readonly protectLabel: (wanted: Asker & { readonly label: string }) => Promise<void>
  readonly unprotectLabel: (wanted: Asker & { readonly label: string }) => Promise<void>
}

/** Makes the methods. */
export const makeLabels = (ask: Ask): LabelMethods => ({
  labels: (wanted) =>
    ask(wanted, (presets, named) =>
      Effect.map(presets.labels(named), (labels) => labels.map(toLabel))
    ),
  label: (wanted) =>
    ask(wanted, (presets, named) =>
      Effect.flatMap(presets.labels(named), (labels) => {
        const found = labels.find(({ name }) => name === named.label)
        return found === undefined
          ? Effect.fail(new LabelNotFound({ slug: named.slug, label: named.label }))
          : Effect.succeed(toLabel(found))
      })
    ),
  moveLabel: (wanted) =>
    ask(wanted, (presets, { principal, scopes, version, ...named }) =>
      Effect.map(
        presets.moveLabel({
          ...named,
          ...conditionOf(named.ifVersion),
          principal: withScopes(principal, scopes),
          wanted: Effect.succeed(version)
        }),
        ({ label: { movedAt, name, version: number, versionId } }) => {
          const { isProtected: _, ...label } = toLabel({
            ...{ name, version: number, versionId, movedAt },
            isProtected: false
          })
          return label
        }
      )
    ),
  removeLabel: (wanted) =>
    ask(wanted, (presets, { principal, scopes, ...named }) =>
      Effect.asVoid(
        presets.removeLabel({
          ...named,
          ...conditionOf(named.ifVersion),
          principal: withScopes(principal, scopes)
        })
      )
    ),
  labelMoves: (wanted) =>
    ask(wanted, (presets, named) =>
      Effect.map(presets.labelHistory(named, pageOf(named)), ({ moves, total }) => ({
        items: moves.map(toLabelMove),
        total
      }))
    ),
  protectedLabels: (wanted = {}) =>
    ask(wanted, (presets, { principal }) =>
      Effect.map(presets.protectedLabels(principal), (all) => all.map(toProtectedLabel))
    ),
  // Whoever opens the store is its operator.
  protectLabel: (wanted) =>
    ask(wanted, (presets, { label, principal: { workspaceId } }) =>
      presets.protectLabel({ by: { kind: "operator", workspaceId }, label })
    ),
  unprotectLabel: (wanted) =>
    ask(wanted, (presets, { label, principal: { workspaceId } }) =>
      presets.unprotectLabel({ by: { kind: "operator", workspaceId }, label })
    )
})
