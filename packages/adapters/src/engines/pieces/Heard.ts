/** What a server heard, with times in seconds from the start of the piece it was sent. */

/** A word as the server tells it, in seconds from the start of the piece. */
export interface HeardWord {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** A segment as the server tells it: seconds from the start of the piece, not yet trusted. */
export interface HeardSegment {
  readonly start: number
  readonly end: number
  readonly text: string
  /** Whether a space stands before it in the text of the piece, where that can be told. */
  readonly hasSpaceBefore: boolean | undefined
  /** The server's own name for the speaker. */
  readonly speaker: string | undefined
  readonly words: ReadonlyArray<HeardWord>
}
