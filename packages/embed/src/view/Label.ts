/** Labels of presets as a host sees them. */
import type {
  LabelMove as CoreMove,
  ProtectedLabel as CoreProtected,
  NamedLabel
} from "@verbatim/core/preset"
import type { DateTime } from "effect"

/** A label, and where it points. */
export interface Label {
  readonly label: string
  readonly version: number
  readonly versionId: string
  readonly movedAt: Date
  /** Whether only who has its scope may move it. */
  readonly isProtected: boolean
}

/** How a label was moved. */
export interface LabelMove {
  /** Where it pointed before; null when there was no such label. */
  readonly from: number | null
  /** Null when it was removed. */
  readonly to: number | null
  readonly by: string
  readonly at: Date
}

/** A label that is protected in a workspace. */
export interface ProtectedLabel {
  readonly label: string
  /** Null when it was an operator, or the host. */
  readonly by: string | null
  readonly at: Date
}

const dateOf = ({ epochMilliseconds }: DateTime.Utc): Date => new Date(epochMilliseconds)

export const toLabel = ({
  isProtected,
  movedAt,
  name,
  version,
  versionId
}: NamedLabel & { readonly isProtected: boolean }): Label => ({
  label: name,
  version,
  versionId,
  movedAt: dateOf(movedAt),
  isProtected
})

export const toLabelMove = ({ at, by, from, to }: CoreMove): LabelMove => ({
  from,
  to,
  by,
  at: dateOf(at)
})

export const toProtectedLabel = ({ at, by, label }: CoreProtected): ProtectedLabel => ({
  label,
  by,
  at: dateOf(at)
})
