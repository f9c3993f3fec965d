/**
 * How a variable of an operator is told: once, for the page about configuration, which is written
 * from these rows, and for the test, which sets the value and looks for what is seen.
 */

/** One variable. */
export interface Variable {
  /** Without `VERBATIM_`. */
  readonly name: string
  /** What it is when nothing is set: a value that could be set, or words where none is fixed. */
  readonly unset: string | { readonly words: string }
  readonly does: string
  /** An unusual value. Left out where it is an address, a folder or a key that a run makes. */
  readonly value?: string
  /** With that value: the request, and what its answer or its work shows. */
  readonly seen: string
}

/** Variables of one part of the page, by its heading. */
export interface Part {
  readonly heading: string
  readonly variables: ReadonlyArray<Variable>
}
