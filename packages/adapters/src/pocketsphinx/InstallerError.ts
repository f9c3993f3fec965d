/**
 * Why the recogniser could not be provided, with the sentence that tells what to do instead.
 */
import { Schema } from "effect"

/** What stood in the way. */
export const Obstacle = Schema.Literals([
  "AptMissing",
  "PackageUnknown",
  "DownloadFailed",
  "FolderUnusable",
  "NotStarting"
])
export type Obstacle = typeof Obstacle.Type

const otherwise =
  "install the packages pocketsphinx and pocketsphinx-en-us, so that " +
  "pocketsphinx_continuous is on PATH"

/** What happened, in words. */
const obstacleMessages: Readonly<Record<Obstacle, string>> = {
  AptMissing: "PocketSphinx is fetched with apt-get and dpkg, and this system has none",
  PackageUnknown: "apt does not know the packages of PocketSphinx; its lists may be missing",
  DownloadFailed: "apt could not download PocketSphinx",
  FolderUnusable: "PocketSphinx could not be unpacked into the cache directory",
  NotStarting: "PocketSphinx was unpacked, but does not start"
}

/** What to do about it. */
const advice: Readonly<Record<Obstacle, string>> = {
  AptMissing: `Choose another engine, or ${otherwise}.`,
  PackageUnknown: `Run apt-get update as root and try again, or ${otherwise}.`,
  DownloadFailed: `Try again, or ${otherwise}.`,
  FolderUnusable: `Choose another cache directory, or ${otherwise}.`,
  NotStarting: `Choose another engine, or ${otherwise}.`
}

/** The recogniser could not be provided. */
export class InstallerError extends Schema.TaggedError<InstallerError>()("InstallerError", {
  obstacle: Obstacle,
  /** For the log of the operator. */
  detail: Schema.String
}) {
  /** What happened and what to do, without a path or a word from outside. */
  get sentence(): string {
    return `${obstacleMessages[this.obstacle]}. ${advice[this.obstacle]}`
  }
}
