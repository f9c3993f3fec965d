/**
 * The model that comes along and finds speech, so that silence is left out before any download:
 * Silero VAD 6.2.3 for 16 kHz, as its authors published it (MIT, its licence is beside it).
 */
import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"

/** The SHA-256 of the published file in hex, to tell whether a file is that one. */
export const sha256 = "7ed98ddbad84ccac4cd0aeb3099049280713df825c610a8ed34543318f1b2c49"

/** A bundle that is no module does not know where it is. */
const find = (): string | null => {
  const here: string | undefined = import.meta.url
  if (here === undefined) return null
  const path = fileURLToPath(new URL("../../models/silero-vad/silero_vad_16k_op15.onnx", here))
  return existsSync(path) ? path : null
}

/** Where it is; none where a host has bundled this code without it. */
export const speechDetector: string | null = find()
