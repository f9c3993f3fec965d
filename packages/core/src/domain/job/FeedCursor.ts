/**
 * A cursor in the feed of all jobs' commits in a store. No commit ever gets a position before one
 * that a reader has already seen, so a reader that resumes from a cursor misses nothing and sees
 * nothing twice. Because the ordinal counts the work of all workspaces, subscribers see the cursor
 * only as an encrypted string, which is valid only in their own workspace.
 */
import { Effect, Option } from "effect"
import { Digest } from "effect/crypto"
import type { WorkspaceId } from "../workspace/Workspace.ts"

/** A position in a store's feed, whether or not there is a commit at that position. */
export interface FeedCursor {
  /**
   * Identifies the feed. A cursor from another feed, such as that of a copied store, is not valid
   * here. Callers never see the feed id, because it is the key that encrypts their cursors.
   */
  readonly feedId: string
  /**
   * A number that increases along the feed. Commits with the same ordinal are ordered by job id and
   * revision.
   */
  readonly ordinal: number
  /** The job's id; empty for the position before all jobs of the ordinal. */
  readonly jobId: string
  readonly revision: number
}

/** Returns the cursor just before the commits with an ordinal. */
export const cursorBefore = (feedId: string, ordinal: number): FeedCursor => ({
  feedId,
  ordinal,
  jobId: "",
  revision: 0
})

/** Whether a cursor comes after another cursor of the same feed. */
export const isAfter = (cursor: FeedCursor, other: FeedCursor): boolean => {
  if (cursor.ordinal !== other.ordinal) return cursor.ordinal > other.ordinal
  if (cursor.jobId !== other.jobId) return cursor.jobId > other.jobId
  return cursor.revision > other.revision
}

/** A position in the feed among the events of one commit. */
export interface FeedEventCursor {
  readonly cursor: FeedCursor
  /** The index of the last event of the commit that was sent; infinite if all of them were sent. */
  readonly index: number
}

/** The prefix of a feed cursor; no cursor in a job's history begins with it. */
const letter = "w"
const frontLength = 8
const tagLength = 32
const plainLength = 64
const endIndex = 0xff_ff_ff_ff

const textPattern = new RegExp(
  `^${letter}(?<front>[0-9a-f]{${frontLength}})\\.` +
    `(?<tag>[0-9a-f]{${tagLength}})(?<masked>[0-9a-f]{${plainLength}})$`
)

/**
 * All cursors have the same length, because a varying length would reveal the size of the ordinal.
 */
const toHex = ({ cursor: { jobId, ordinal, revision }, index }: FeedEventCursor): string =>
  ordinal.toString(16).padStart(16, "0") +
  jobId.replaceAll("-", "").padStart(32, "0") +
  revision.toString(16).padStart(8, "0") +
  Math.min(index, endIndex).toString(16).padStart(8, "0")

const fromHex = (hex: string, feedId: string): FeedEventCursor => {
  const toNumber = (start: number, end: number) => Number.parseInt(hex.slice(start, end), 16)
  const revision = toNumber(48, 56)
  const parts = [hex.slice(16, 24), ...[24, 28, 32].map((at) => hex.slice(at, at + 4))]
  const jobId = revision === 0 ? "" : [...parts, hex.slice(36, 48)].join("-")
  const index = toNumber(56, 64)
  return {
    cursor: { feedId, ordinal: toNumber(0, 16), jobId, revision },
    index: index === endIndex ? Number.POSITIVE_INFINITY : index
  }
}

const xor = (one: string, other: string): string =>
  (BigInt(`0x${one}`) ^ BigInt(`0x${other}`)).toString(16).padStart(plainLength, "0")

const encoder = new TextEncoder()

const digestOf = (text: string): Effect.Effect<string, never, Digest.Digest> =>
  Digest.Digest.use(({ digestHex }) => digestHex(Digest.sha256, encoder.encode(text)))

const frontOf = (feedId: string) =>
  Effect.map(digestOf(`feed/${feedId}`), (digest) => digest.slice(0, frontLength))

/**
 * Formats a cursor for a workspace. The string contains a short hash of the feed id, a digest of
 * the cursor, and the cursor itself, masked with a value derived from the digest. No two cursors
 * share a mask, so the strings do not reveal how far apart the cursors are.
 */
export const formatFeedCursor = Effect.fnUntraced(function* (
  workspaceId: WorkspaceId,
  at: FeedEventCursor
) {
  const { feedId } = at.cursor
  const plain = toHex(at)
  const tag = (yield* digestOf(`${workspaceId}/${plain}/${feedId}`)).slice(0, tagLength)
  const mask = yield* digestOf(`${workspaceId}/${tag}/${feedId}`)
  return `${letter}${yield* frontOf(feedId)}.${tag}${xor(plain, mask)}`
})

/**
 * Parses a feed cursor. Returns none if the cursor was never sent to this workspace, and a cursor
 * without a feed id if it belongs to another feed.
 */
export const parseFeedCursor = Effect.fnUntraced(function* (
  workspaceId: WorkspaceId,
  { feedId, text }: { readonly feedId: string; readonly text: string }
) {
  const { front, masked, tag } = textPattern.exec(text)?.groups ?? {}
  if (masked === undefined) return Option.none<FeedEventCursor>()
  if (front !== (yield* frontOf(feedId))) {
    return Option.some({ cursor: cursorBefore("", 0), index: Number.POSITIVE_INFINITY })
  }
  const mask = yield* digestOf(`${workspaceId}/${tag}/${feedId}`)
  const found = fromHex(xor(masked, mask), feedId)
  return (yield* formatFeedCursor(workspaceId, found)) === text ? Option.some(found) : Option.none()
})
