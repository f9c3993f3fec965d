/** Sample ids with readable numbers. Ids of one kind sort by number. */

import { JobId } from "@verbatim/core/attempt"
import { CorrectionId } from "@verbatim/core/correction"
import { DeliveryId } from "@verbatim/core/delivery"
import { NoticeId } from "@verbatim/core/notice"
import { LeaseToken } from "@verbatim/core/ports"
import { PresetChangeId, PresetId, PresetVersionId } from "@verbatim/core/preset"
import { ApiKeyId, KeyHash, UserId, WebhookSecretId, WorkspaceId } from "@verbatim/core/workspace"
import { DateTime } from "effect"

/** Each kind of id has its own digit, so two kinds never have the same id. */
const uuid = (kind: number, number: number): string =>
  `0190000${kind.toString(16)}-0000-7000-8000-${number.toString(16).padStart(12, "0")}`

export const workspaceId = (number: number): WorkspaceId => WorkspaceId.make(uuid(1, number))

export const userId = (number: number): UserId => UserId.make(`user_${uuid(2, number)}`)

export const apiKeyId = (number: number): ApiKeyId => ApiKeyId.make(uuid(3, number))

export const creditId = (number: number): string => uuid(4, number)

export const presetId = (number: number): PresetId => PresetId.make(uuid(5, number))

export const versionId = (number: number): PresetVersionId => PresetVersionId.make(uuid(6, number))

export const presetChangeId = (number: number): PresetChangeId =>
  PresetChangeId.make(uuid(0xa, number))

/** Returns the id of a job requested at the given time. */
export const jobIdAt = (at: DateTime.Utc, number: number): JobId => {
  const hex = DateTime.toEpochMillis(at).toString(16).padStart(12, "0")
  const rest = number.toString(16).padStart(12, "0")
  return JobId.make(`${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-${rest}`)
}

export const jobId = (number: number): JobId => JobId.make(uuid(7, number))

export const deliveryId = (number: number): DeliveryId => DeliveryId.make(uuid(8, number))

export const noticeId = (number: number): NoticeId => NoticeId.make(uuid(0xb, number))

export const correctionId = (number: number): CorrectionId => CorrectionId.make(uuid(0xc, number))

/** Returns the lease token for a claim. */
export const leaseToken = (number: number): LeaseToken => LeaseToken.make(uuid(9, number))

export const webhookSecretId = (number: number): WebhookSecretId =>
  WebhookSecretId.make(uuid(0, number))

/** A hash that matches no known token. */
export const keyHash = (number: number): KeyHash =>
  KeyHash.make(number.toString(16).padStart(64, "0"))

/** Returns the numbers from 1 to `count`. */
export const upTo = (count: number): ReadonlyArray<number> =>
  Array.from({ length: count }, (_, index) => index + 1)
