/**
 * Corrections of transcripts by name: speakers and segments, with versions to go back to.
 */
import type { Client } from "openapi-fetch"
import {
  type CallOptions,
  type CreateOptions,
  dropAbsent,
  toInit,
  toRepeatable,
  unwrap
} from "./Calls.ts"
import type { components, paths } from "./Description.ts"

type Schemas = components["schemas"]

/** How a correction is written. */
export interface CorrectionOptions extends CreateOptions {
  /** The version that was read: another one by now refuses the write with 409. */
  readonly ifVersion?: number | undefined
}

/** Which corrections, and which versions. */
export interface CorrectionsWanted extends CallOptions {
  /** Only versions with smaller numbers: the `next_before` of the page before. */
  readonly before?: number | undefined
  /** Most versions of a page. */
  readonly limit?: number | undefined
  /** Only segments from this one on: the `next_segment` of the page before. */
  readonly fromSegment?: number | undefined
}

/** Makes the calls on corrections. */
export const makeCorrections = (client: Client<paths>, isRepeating: boolean) => {
  const at = (id: string) => ({ path: { id } })

  const toWrite = ({ ifVersion, ...options }: CorrectionOptions = {}) =>
    toRepeatable(
      { ...options, ifMatch: ifVersion === undefined ? undefined : String(ifVersion) },
      isRepeating
    )

  return {
    /** Names speakers; null takes a name away. Speakers that are not mentioned keep theirs. */
    nameSpeakers: (
      id: string,
      names: Schemas["SpeakerNames"],
      options?: CorrectionOptions
    ): Promise<Schemas["CorrectionStanding"]> =>
      unwrap(
        client.PUT("/transcriptions/{id}/speakers", {
          params: at(id),
          body: names,
          ...toWrite(options)
        })
      ),

    /** Corrects segments; null puts back what was recognised. */
    correctSegments: (
      id: string,
      segments: Readonly<Schemas["SegmentCorrections"]>,
      options?: CorrectionOptions
    ): Promise<Schemas["CorrectionStanding"]> =>
      unwrap(
        client.PATCH("/transcriptions/{id}/segments", {
          params: at(id),
          body: [...segments],
          ...toWrite(options)
        })
      ),

    /** Makes a version that equals an earlier one; 0 is what was recognised. */
    goBack: (
      id: string,
      version: number,
      options?: CorrectionOptions
    ): Promise<Schemas["CorrectionStanding"]> =>
      unwrap(
        client.PUT("/transcriptions/{id}/corrections/current", {
          params: at(id),
          body: { version },
          ...toWrite(options)
        })
      ),

    /** Reads what is corrected, and who corrected what. */
    get: (
      id: string,
      { before, fromSegment, limit, ...options }: CorrectionsWanted = {}
    ): Promise<Schemas["Corrections"]> =>
      unwrap(
        client.GET("/transcriptions/{id}/corrections", {
          params: { ...at(id), query: dropAbsent({ before, limit, from_segment: fromSegment }) },
          ...toInit(options)
        })
      ),

    /** Reads one version with everything that it changed. */
    version: (
      id: string,
      version: number,
      options?: CallOptions
    ): Promise<Schemas["CorrectionVersion"]> =>
      unwrap(
        client.GET("/transcriptions/{id}/corrections/{version}", {
          params: { path: { id, version } },
          ...toInit(options)
        })
      )
  }
}
