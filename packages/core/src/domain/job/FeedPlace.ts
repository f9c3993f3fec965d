/**
 * Where a commit stands among all commits of all jobs of a store: its feed. Nothing that is
 * committed later ever gets a place before one that a reader was told of, so whoever reads on from
 * a place misses nothing and reads nothing twice. Its ordinal counts the work of all workspaces, so
 * a listener is shown an encrypted text, which only the same workspace can use.
 */
import { Effect, Option } from "effect"
import { Digest } from "effect/crypto"
import type { WorkspaceId } from "../workspace/Workspace.ts"

/** A place in the feed of a store. In between, there may be places where nothing stands. */
export interface FeedPlace {
  /**
   * Of this one feed: places of another one, such as a copy of the store, mean nothing here. No
   * caller is shown it: it is the key of the texts below.
   */
  readonly mark: string
  /** Grows with the feed. Commits may share it; then job and revision tell their order. */
  readonly ordinal: number
  /** Empty for the place before all jobs of that ordinal. */
  readonly jobId: string
  readonly revision: number
}

/** The place before everything of an ordinal. */
export const placeBefore = (mark: string, ordinal: number): FeedPlace => ({
  mark,
  ordinal,
  jobId: "",
  revision: 0
})

/** Whether a place comes after another one of the same feed. */
export const isAfter = (place: FeedPlace, other: FeedPlace): boolean => {
  if (place.ordinal !== other.ordinal) return place.ordinal > other.ordinal
  if (place.jobId !== other.jobId) return place.jobId > other.jobId
  return place.revision > other.revision
}

/** A place in a feed, within the events of a commit. */
export interface FeedEventPlace {
  readonly place: FeedPlace
  /** The last event that was sent; infinite for all of them. */
  readonly index: number
}

/** As no place of a job begins. */
const letter = "w"
const frontLength = 8
const tagLength = 32
const plainLength = 64
const endIndex = 0xff_ff_ff_ff

const textPattern = new RegExp(
  `^${letter}(?<front>[0-9a-f]{${frontLength}})\\.` +
    `(?<tag>[0-9a-f]{${tagLength}})(?<masked>[0-9a-f]{${plainLength}})$`
)

/** Of one length for every place: otherwise the length would tell how large the ordinal is. */
const toHex = ({ index, place: { jobId, ordinal, revision } }: FeedEventPlace): string =>
  ordinal.toString(16).padStart(16, "0") +
  jobId.replaceAll("-", "").padStart(32, "0") +
  revision.toString(16).padStart(8, "0") +
  Math.min(index, endIndex).toString(16).padStart(8, "0")

const fromHex = (hex: string, mark: string): FeedEventPlace => {
  const toNumber = (start: number, end: number) => Number.parseInt(hex.slice(start, end), 16)
  const revision = toNumber(48, 56)
  const parts = [hex.slice(16, 24), ...[24, 28, 32].map((at) => hex.slice(at, at + 4))]
  const jobId = revision === 0 ? "" : [...parts, hex.slice(36, 48)].join("-")
  const index = toNumber(56, 64)
  return {
    place: { mark, ordinal: toNumber(0, 16), jobId, revision },
    index: index === endIndex ? Number.POSITIVE_INFINITY : index
  }
}

const xor = (one: string, other: string): string =>
  (BigInt(`0x${one}`) ^ BigInt(`0x${other}`)).toString(16).padStart(plainLength, "0")

const encoder = new TextEncoder()

const digestOf = (text: string): Effect.Effect<string, never, Digest.Digest> =>
  Digest.Digest.use(({ digestHex }) => digestHex(Digest.sha256, encoder.encode(text)))

const frontOf = (mark: string) =>
  Effect.map(digestOf(`feed/${mark}`), (digest) => digest.slice(0, frontLength))

/**
 * The text of a place for a workspace: the feed, a digest of the place, and the place under a mask
 * that depends on that digest. Two places never share a mask, so their texts do not tell how far
 * apart they are.
 */
export const formatFeedPlace = Effect.fnUntraced(function* (
  workspaceId: WorkspaceId,
  told: FeedEventPlace
) {
  const { mark } = told.place
  const plain = toHex(told)
  const tag = (yield* digestOf(`${workspaceId}/${plain}/${mark}`)).slice(0, tagLength)
  const mask = yield* digestOf(`${workspaceId}/${tag}/${mark}`)
  return `${letter}${yield* frontOf(mark)}.${tag}${xor(plain, mask)}`
})

/**
 * Reads a text in the feed of a mark. None when the workspace was never shown it; a place without a
 * mark when it is of another feed.
 */
export const parseFeedPlace = Effect.fnUntraced(function* (
  workspaceId: WorkspaceId,
  { mark, text }: { readonly mark: string; readonly text: string }
) {
  const { front, masked, tag } = textPattern.exec(text)?.groups ?? {}
  if (masked === undefined) return Option.none<FeedEventPlace>()
  if (front !== (yield* frontOf(mark))) {
    return Option.some({ place: placeBefore("", 0), index: Number.POSITIVE_INFINITY })
  }
  const mask = yield* digestOf(`${workspaceId}/${tag}/${mark}`)
  const found = fromHex(xor(masked, mask), mark)
  return (yield* formatFeedPlace(workspaceId, found)) === text ? Option.some(found) : Option.none()
})
