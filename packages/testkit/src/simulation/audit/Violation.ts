/** What an audit finds. */

/** A guarantee that did not hold. */
export interface Violation {
  /** The guarantee, as the documents state it. */
  readonly rule: string
  readonly what: string
}
