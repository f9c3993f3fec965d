/** What a host does with the corrections of a transcript. */
import { Corrections, RequestNotFound } from "@verbatim/core/services"
import type { Principal } from "@verbatim/core/workspace"
import { Effect } from "effect"
import {
  type CorrectionStanding,
  type CorrectionVersion,
  type StandingCorrections,
  toCorrections,
  toStanding,
  toVersion
} from "../view/Correction.ts"
import { judgingAll } from "./Arguments.ts"
import { correctionCalls } from "./Calls.ts"
import type { Run } from "./Host.ts"
import type { JobReference } from "./Jobs.ts"
import { noSuchJob } from "./NoSuchJob.ts"
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

type Service = (typeof Corrections)["Service"]

/** Makes the methods. */
export const makeCorrections = ({
  owners,
  run
}: {
  readonly run: Run
  readonly owners: Owners
}): CorrectionMethods => {
  const ask = <A, E>(
    asker: Asker,
    use: (service: Service, principal: Principal) => Effect.Effect<A, E>
  ) =>
    run(
      Effect.flatMap(
        Effect.all([owners.find(asker), Corrections]),
        ([{ owner, principal }, service]) =>
          Effect.mapError(use(service, principal), (error) =>
            error instanceof RequestNotFound ? noSuchJob(owner, error) : error
          )
      )
    )

  const write = (
    { id, idempotencyKey, ifVersion, ...asker }: CorrectionWrite,
    { body, name }: { readonly name: "correctSegments" | "goBack" | "nameSpeakers"; body: unknown }
  ) =>
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

  return judgingAll<CorrectionMethods>(correctionCalls, {
    nameSpeakers: (wanted, names) => write(wanted, { name: "nameSpeakers", body: names }),
    correctSegments: (wanted, segments) =>
      write(wanted, { name: "correctSegments", body: segments }),
    goBack: (wanted, version) => write(wanted, { name: "goBack", body: { version } }),
    get: ({ before, fromSegment, id, limit, workspace }) =>
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
      ),
    version: ({ id, workspace }, version) =>
      ask({ workspace }, (service, principal) =>
        Effect.map(service.version(principal, { id, version: String(version) }), toVersion)
      )
  })
}
