/** How loud the recording is over its time, as the server made it when it was recognised. */
import { api } from "../Api.ts"

/**
 * Reads how loud each stretch is, as a share of the loudest; nothing where that was not kept. The
 * server tells the least and the greatest sample of each stretch in turn.
 */
export const readPeaks = async (
  id: string,
  signal: AbortSignal
): Promise<ReadonlyArray<number> | undefined> => {
  const path = { id }
  const { data } = await api.GET("/transcriptions/{id}/peaks", { params: { path }, signal })
  if (data === undefined) return undefined
  const { peaks } = data
  const loudness = Array.from({ length: Math.floor(peaks.length / 2) }, (_, place) =>
    Math.max(Math.abs(peaks[2 * place] ?? 0), Math.abs(peaks[2 * place + 1] ?? 0))
  )
  const most = loudness.reduce((one, other) => Math.max(one, other), 0)
  return most === 0 ? undefined : loudness.map((value) => value / most)
}
