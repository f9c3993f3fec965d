/**
 * A media key is a recording's name in the media store. It consists of job, attempt and extension,
 * so that a late write by an earlier attempt never changes media that a commit refers to.
 */
import { type Option, Schema } from "effect"
import { JobId } from "../attempt/Attempt.ts"

const uuid = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
const pattern = new RegExp(`^(${uuid})/[0-9]{1,3}\\.[a-z0-9]{1,8}$`)

/**
 * A media key has the form `<job id>/<attempt>.<extension>`, which is safe as a path and as an
 * object key.
 */
export const MediaKey = Schema.String.check(
  Schema.isPattern(pattern, { expected: "a job id, an attempt and an extension" })
).pipe(Schema.brand("MediaKey"))
export type MediaKey = typeof MediaKey.Type

/** Returns the media key for an attempt of a job. An upload is attempt 0. */
export const makeMediaKey = (parts: {
  readonly jobId: JobId
  readonly attempt: number
  /** The extension, with its dot. */
  readonly extension: string
}): MediaKey => MediaKey.make(`${parts.jobId}/${parts.attempt}${parts.extension}`)

/** Returns the id of the job that a media key belongs to. */
export const jobIdOf = (key: MediaKey): JobId => JobId.make(key.slice(0, key.indexOf("/")))

/** Parses a name from a listing of the media store; none if it is not a media key. */
export const parseMediaKey: (text: string) => Option.Option<MediaKey> =
  Schema.decodeOption(MediaKey)

// A media file that a process on this machine can read for a limited time.

/** The path and the extension of a media file. */
export interface LocalMedia {
  /** An absolute path, which callers never see. */
  readonly path: string
  /** The extension, with its dot and in lower case. The extension is only a hint. */
  readonly extension: string
  readonly byteLength: number
}
