/** Randomness, digests and signatures, from Node. */
import * as NodeCrypto from "@effect/platform-node-shared/NodeCrypto"
import { Layer } from "effect"
import type { Digest, Mac, SecureRandom } from "effect/crypto"
import * as Digests from "./Digests.ts"
import * as RandomBytes from "./RandomBytes.ts"

/** What services and workers need of the platform. */
export const platform: Layer.Layer<Digest.Digest | Mac.Mac | SecureRandom.SecureRandom> =
  Layer.mergeAll(RandomBytes.layer, Digests.layer, NodeCrypto.layerMac)
