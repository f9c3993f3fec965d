/** What can be seen of labels, staged versions and erased ones: all of one preset of a run. */

/** What a keeper of labels asks for. */
export type LabelWish =
  /** A version, which its comment names whatever becomes of its content. */
  | { readonly kind: "Create" | "Stage"; readonly comment: string }
  | { readonly kind: "Designate" | "Erase"; readonly version: number }
  | {
      readonly kind: "Move"
      readonly label: string
      readonly version: number
      readonly by?: Hand
    }
  | { readonly kind: "Remove"; readonly label: string; readonly by?: Hand }
  /** By an operator. */
  | { readonly kind: "Protect" | "Unprotect"; readonly label: string }
  | { readonly kind: "Resolve"; readonly label: string }
  | { readonly kind: "Look" }

/** Who moves a label: a key with the scopes of all labels, or one without. */
export type Hand = "holder" | "plain"

/** Where each label points. */
export type Pointers = Readonly<Record<string, number>>

/** One thing seen. */
export type LabelFact =
  | {
      readonly _tag: "LabelAsked"
      readonly beganAt: number
      readonly endedAt: number
      readonly wish: LabelWish
      readonly isDone: boolean
      /** Whether it may have been done although nobody was told. */
      readonly isOpen: boolean
      /** The number of the version that was made, if one was told. */
      readonly made: number | null
      /** The preset in the answer, if there was one. */
      readonly seen: { readonly revision: number; readonly labels: Pointers } | null
      /** What the label was said to mean; null for nothing, absent where nothing was said. */
      readonly resolved?: number | null
    }
  /** The preset at the end. */
  | {
      readonly _tag: "LabelsListed"
      readonly revision: number
      readonly labels: Pointers
      readonly designated: number
      readonly versions: ReadonlyArray<{
        readonly comment: string | null
        readonly isErased: boolean
        readonly hasContent: boolean
      }>
      readonly designations: ReadonlyArray<number>
      readonly moves: ReadonlyArray<{
        readonly label: string
        readonly revision: number
        readonly from: number | null
        readonly to: number | null
        readonly by?: Hand
      }>
    }
