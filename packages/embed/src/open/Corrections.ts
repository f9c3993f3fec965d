/** What a host does with the corrections of a transcript. */
import { Corrections } from "@verbatim/core/services"
import { Effect } from "effect"
import {
  type CorrectionStanding,
  type CorrectionVersion,
  type StandingCorrections,
  toCorrections,
  toStanding,
  toVersion
} from "../view/Correction.ts"
import { makeAsk } from "./AboutJob.ts"
import { judgingAll } from "./Arguments.ts"
import { correctionCalls } from "./Calls.ts"
import type { Run } from "./Host.ts"
import type { JobReference } from "./JobReference.ts"
import type { Asker, Owners } from "./Workspaces.ts"

/** A job whose transcript is to be corrected, and by whom. */
export interface CorrectionWrite extends Asker {
  readonly id: string
  /** The version that must be the last one; left out, any may be. */
  readonly ifVersion?: number
  /** The same key with the same correction, within a day, is the same version. */
  readonly idempotencyKey?: string
}

/** What changes of one segment. What is left out stays; null puts back what was recognised. */
export interface SegmentCorrection {
  /** Where it stands among all segments, counted from 0. */
  readonly index: number
  readonly text?: string | null
  readonly speaker?: string | null
}

/** Which part of the corrections is read. */
export interface CorrectionsWanted extends JobReference {
  /** Only versions with smaller numbers. */
  readonly before?: number
  /** Most versions. Default: 20, at most 100. */
  readonly limit?: number
  /** Only segments from this one on. Default: 0. */
  readonly fromSegment?: number
}

/** Corrections of transcripts. What was recognised never changes. */
export interface CorrectionMethods {
  /** Names speakers; null takes a name away. Those that are not mentioned keep theirs. */
  readonly nameSpeakers: (
    write: CorrectionWrite,
    names: Readonly<Record<string, string | null>>
  ) => Promise<CorrectionStanding>
  /** Corrects text and speaker of segments. */
  readonly correctSegments: (
    write: CorrectionWrite,
    segments: ReadonlyArray<SegmentCorrection>
  ) => Promise<CorrectionStanding>
  /** Makes a version that equals an earlier one; 0 is what was recognised. */
  readonly goBack: (write: CorrectionWrite, version: number) => Promise<CorrectionStanding>
  /** What is corrected now, and the versions that led there, the latest first. */
  readonly get: (wanted: CorrectionsWanted) => Promise<StandingCorrections>
  /** One version, with everything that it changed. */
  readonly version: (job: JobReference, version: number) => Promise<CorrectionVersion>
}

/** Makes the methods. */
export const makeCorrections = ({
  owners,
  run
}: {
  readonly run: Run
  readonly owners: Owners
}): CorrectionMethods => {
  const ask = makeAsk(owners, Corrections)

  const write = (
    { id, idempotencyKey, ifVersion, ...asker }: CorrectionWrite,
    { body, name }: { readonly name: "correctSegments" | "goBack" | "nameSpeakers"; body: unknown }
  ) =>
    run(
      ask(asker, (service, principal) =>
        Effect.map(
          service[name](principal, {
            id,
            body: Effect.succeed(body),
            match: ifVersion === undefined ? undefined : [String(ifVersion)],
            idempotencyKey
          }),
          toStanding
        )
      )
    )

  return judgingAll<CorrectionMethods>(correctionCalls, {
    nameSpeakers: (wanted, names) => write(wanted, { name: "nameSpeakers", body: names }),
    correctSegments: (wanted, segments) =>
      write(wanted, { name: "correctSegments", body: segments }),
    goBack: (wanted, version) => write(wanted, { name: "goBack", body: { version } }),
    get: ({ before, fromSegment, id, limit, workspace }) =>
      run(
        ask({ workspace }, (service, principal) =>
          Effect.map(
            service.standing(principal, {
              id,
              before: before?.toString(),
              limit: limit?.toString(),
              fromSegment: fromSegment?.toString()
            }),
            toCorrections
          )
        )
      ),
    version: ({ id, workspace }, version) =>
      run(
        ask({ workspace }, (service, principal) =>
          Effect.map(service.version(principal, { id, version: String(version) }), toVersion)
        )
      )
  })
}
