/** How loud the recording is over its time, as the server made it while it read the recording. */
import { apiAddress } from "../Api.ts"
import { pageHeader } from "../session/Session.ts"

/** Reads the peaks, each from 0 to 1; nothing where none were made. */
export const readPeaks = async (
  id: string,
  signal: AbortSignal
): Promise<ReadonlyArray<number> | undefined> => {
  const response = await fetch(apiAddress(`/v1/transcriptions/${id}/peaks`), {
    headers: { [pageHeader]: "workspace" },
    signal
  })
  if (!response.ok) return undefined
  const body: unknown = await response.json()
  const peaks: unknown = Object(body).peaks
  if (!Array.isArray(peaks) || peaks.length === 0) return undefined
  const values = peaks.map((peak) => Math.abs(Number(peak)) || 0)
  const most = values.reduce((one, other) => Math.max(one, other), 0)
  return most === 0 ? undefined : values.map((value) => value / most)
}
