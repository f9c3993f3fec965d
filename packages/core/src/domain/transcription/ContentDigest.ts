/**
 * Hashes content of any length while holding only one block in memory. The digest is the SHA-256 of
 * the SHA-256 digests of all blocks. Equal content has the same digest, no matter how the content
 * is divided when it arrives.
 */
import { Effect } from "effect"
import { Digest } from "effect/crypto"

/** Length of a block in bytes: 1 MiB, so that the overhead of each hash call is small. */
export const blockBytes = 1_048_576

/** Creates a digest to which content is added chunk by chunk. */
export const make = (digest: Digest.Digest["Service"]) => {
  const block = new Uint8Array(blockBytes)
  const leaves: Array<Uint8Array> = []
  let filled = 0

  const flush = Effect.suspend(() =>
    Effect.map(digest.digest(Digest.sha256, block.slice(0, filled)), (leaf) => {
      leaves.push(leaf)
      filled = 0
    })
  )

  const update = Effect.fnUntraced(function* (bytes: Uint8Array) {
    let taken = 0
    while (taken < bytes.length) {
      const piece = bytes.subarray(taken, taken + blockBytes - filled)
      block.set(piece, filled)
      filled += piece.length
      taken += piece.length
      if (filled === blockBytes) yield* flush
    }
  })

  /** Returns the digest of all added content, in hex. Nothing can be added afterwards. */
  const end = Effect.gen(function* () {
    if (filled > 0) yield* flush
    const all = new Uint8Array(leaves.length * Digest.sha256.outputLength)
    for (const [index, leaf] of leaves.entries()) all.set(leaf, index * leaf.length)
    return yield* digest.digestHex(Digest.sha256, all)
  })

  return { update, end }
}
