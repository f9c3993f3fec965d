/**
 * The cause of a failure in the words of the engine, receiver or server that gave it, as operators
 * and the managers of a workspace may read them: one line, short, without what looks like a secret.
 */
import { Failure } from "./Failure.ts"
import { withoutSecrets } from "./Secrets.ts"

/** As much as a line of a log or a history holds, in UTF-16 units. */
const lineLengthMax = 500

/** Characters that break a line or hide in one. */
const breaks = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu

/** A path of this machine: an answer over the wire names none. */
const path = /(^|[\s"'`(=])(?:file:\/\/)?(?:\/[\w.@+-]+){2,}\/?/g

const v4 = String.raw`\d{1,3}(?:\.\d{1,3}){3}`
const v6 = String.raw`\[?(?:[0-9a-f]{0,4}:){2,7}[0-9a-f]{0,4}\]?`

/** An IPv4 or IPv6 address with its port. Only the log names those that a resolver gave. */
const address = new RegExp(String.raw`(?<![\w.])(?:${v4}|${v6})(?::\d+)?(?![\w.]*\w)`, "gi")

/** A text from outside on one line, printable and short. Secrets stay in it. */
export const printable = (text: string): string =>
  text.toWellFormed().replace(breaks, " ").trim().slice(0, lineLengthMax).toWellFormed()

/** A text from outside as part of a line of the log. */
export const toLine = (text: string): string => printable(withoutSecrets(text))

/** A text from outside as a cause, which may be shown over the wire. */
export const toCause = (text: string): string =>
  printable(withoutSecrets(text).replace(path, "$1[path]").replace(address, "[address]"))

const none = () => ""
const said = ({ detail = "" }: { readonly detail?: string }) => toCause(detail)

/** Details of our own storage and of a host's code are for the log alone. */
const words: (failure: Failure) => string = Failure.match({
  MediaUnreachable: said,
  MediaTooLarge: none,
  MediaUnsupported: none,
  MediaMissing: none,
  MediaUndecodable: none,
  AudioMissing: none,
  AudioTooLong: none,
  LanguageUnsupported: none,
  EngineUnavailable: said,
  EngineFailed: said,
  EngineRefused: said,
  StorageFailed: none,
  TranscriptMissing: none,
  ReceiverRefused: said,
  ReceiverUnreachable: said,
  WorkerLost: none,
  BodyChanged: none,
  ListenerFailed: none
})

/** What the other side said; nothing where the sentence of the failure already says all. */
export const causeOf = (failure: Failure): string | undefined => words(failure) || undefined
