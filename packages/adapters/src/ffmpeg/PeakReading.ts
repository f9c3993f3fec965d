/**
 * Reads the peaks of decoded audio. The engines write into files by themselves, so the samples are
 * read once from there, while they are still in the memory of the system.
 */
import type { FileHandle } from "node:fs/promises"
import { makePeakFold, type Peaks } from "@verbatim/core/transcription"
import { sampleBytes } from "./FfmpegArguments.ts"

/** At a time: a tenth of a millisecond to fold, so that nobody waits for it. */
const stretchBytes = 128 * 1_024

/** Reads on from a place, and says where the next stretch begins; nothing at the end. */
export type ReadOn = (from: number) => Promise<number | undefined>

/** Prepares the fold of a file of that many samples: read on until nothing is left. */
export const makePeakReading = (
  file: FileHandle,
  sampleCount: number
): { readonly readOn: ReadOn; readonly peaks: () => Peaks } => {
  const fold = makePeakFold(sampleCount)
  const bytes = Buffer.alloc(stretchBytes)
  const readOn: ReadOn = async (from) => {
    const { bytesRead } = await file.read(bytes, 0, stretchBytes, from)
    const count = Math.floor(bytesRead / sampleBytes)
    if (count === 0) return undefined
    fold.add(new Int16Array(bytes.buffer, bytes.byteOffset, count))
    return from + count * sampleBytes
  }
  return { readOn, peaks: fold.peaks }
}
