/** What every process takes from Node. */
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Layer } from "effect"
import * as RandomBytes from "./RandomBytes.ts"

/** Randomness, digests and signatures, from the platform. */
export const platform = Layer.mergeAll(
  RandomBytes.layer,
  NodeCrypto.layerDigest,
  NodeCrypto.layerMac
)
