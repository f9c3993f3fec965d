/**
 * Counts the commits in the log of a SQLite file, which says of each page whether a commit ended
 * with it (https://www.sqlite.org/fileformat2.html#walformat).
 */
import { readFileSync } from "node:fs"

const headerBytes = 32
const frameHeaderBytes = 24

/** How many commits the log has, unless a checkpoint moved some of it into the file. */
export const commitCount = (filename: string): number => {
  const log = readFileSync(`${filename}-wal`)
  if (log.length === 0) return 0
  const frameBytes = frameHeaderBytes + log.readUInt32BE(8)
  const salts = log.subarray(16, 24)
  let count = 0
  for (let at = headerBytes; at + frameBytes <= log.length; at += frameBytes) {
    const isCurrent = log.subarray(at + 8, at + 16).equals(salts)
    if (isCurrent && log.readUInt32BE(at + 4) > 0) count += 1
  }
  return count
}
