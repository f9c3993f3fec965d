/**
 * The name of one request, by which a client, a proxy and the log speak of it. A client may choose
 * it; what could break a line of a log, or fill it, is replaced.
 */

/** The header that brings it, and that every answer has. */
export const requestIdHeader = "x-request-id"

/** Longest id that is taken: twice what any kind of id needs. */
const lengthMax = 128

/** What ids are made of: UUIDs, ULIDs, base64, names with a colon, a slash or a dot. */
const acceptable = new RegExp(`^[A-Za-z0-9._~:@/+=-]{1,${lengthMax}}$`)

/** The id that a request came with, where it can be taken; else a new one. */
export const toRequestId = (sent: string | undefined): string =>
  sent !== undefined && acceptable.test(sent) ? sent : crypto.randomUUID()
