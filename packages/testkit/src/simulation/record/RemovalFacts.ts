/** What can be seen of a preset that is archived, restored, removed and made again. */
import type { Hand } from "./LabelFacts.ts"

/** What a remover of presets asks for. */
export type RemovalWish =
  /** A version, named by its comment; the preset as well where there is none. */
  | { readonly kind: "Create"; readonly comment: string }
  | { readonly kind: "Archive" | "Remove" | "Restore"; readonly by: Hand }
  /** Points the guarded label to the first version. */
  | { readonly kind: "Label" }
  | { readonly kind: "Look" }

/** A preset in an answer. */
export interface SeenPreset {
  readonly id: string
  readonly status: "Active" | "Archived" | "Disabled"
  readonly labels: ReadonlyArray<string>
}

/** One thing seen. */
export type RemovalFact =
  | {
      readonly _tag: "RemovalAsked"
      readonly beganAt: number
      readonly endedAt: number
      readonly wish: RemovalWish
      readonly isDone: boolean
      /** Whether it may have been done although nobody was told. */
      readonly isOpen: boolean
      /** The number of the version that was made, if one was told. */
      readonly made: number | null
      /** The preset after it, or before it was removed. */
      readonly seen: SeenPreset | null
    }
  /** The preset at the end; none where it was removed, or never made. */
  | {
      readonly _tag: "RemovalListed"
      readonly at: number
      readonly seen: SeenPreset | null
      readonly comments: ReadonlyArray<string | null>
      /** Rows that are left of presets whose removal was acknowledged. */
      readonly left: ReadonlyArray<{ readonly id: string; readonly rows: number }>
    }
