/**
 * Lanes: work that goes to one origin shares a limit, so that a slow host holds up nobody but
 * itself. An origin is short and has one spelling, however its URL is written.
 */

/** The lane of downloads from a URL. A slow one can take hours: no webhook waits behind it. */
export const downloadLane = (url: string): string => `from ${originOf(url)}`

/** The lane of webhooks to a URL. */
export const webhookLane = (url: string): string => originOf(url)

/** URLs have been judged before they are stored; what was not is in a lane of its own. */
const originOf = (url: string): string => URL.parse(url)?.origin ?? "nowhere"
