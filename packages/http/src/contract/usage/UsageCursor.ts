/**
 * Where a page of sums ends, as a text: what its last row is about.
 */
import { ApiKeyId, type UsageBy, type UsageSubject, WorkspaceId } from "@verbatim/core/workspace"
import { Option, Schema } from "effect"

const nothing: UsageSubject = { day: null, workspaceId: null, keyId: null }

/** Writes what a row is about. */
export const toCursor = ({ day, keyId, workspaceId }: UsageSubject): string =>
  day === null ? [workspaceId, ...(keyId === null ? [] : [keyId])].join(".") : String(day)

const decodeWorkspaceId = Schema.decodeOption(WorkspaceId)
const decodeKeyId = Schema.decodeOption(ApiKeyId)

const readDay = (text: string): Option.Option<UsageSubject> =>
  /^\d{1,7}$/.test(text) ? Option.some({ ...nothing, day: Number(text) }) : Option.none()

/** Reads what the last row of the page before is about. */
export const readCursor = (by: UsageBy, text: string): Option.Option<UsageSubject> => {
  if (by === "day") return readDay(text)
  const [workspace = "", key, ...rest] = text.split(".")
  const isForeign = rest.length > 0 || (by === "workspace" && key !== undefined)
  const workspaceId = isForeign ? Option.none() : decodeWorkspaceId(workspace)
  const keyId = key === undefined ? Option.some(null) : decodeKeyId(key)
  return Option.map(Option.all([workspaceId, keyId]), ([workspaceId, keyId]) => ({
    ...nothing,
    workspaceId,
    keyId
  }))
}
