/**
 * The bytes of a file by its path. What is no file is refused before it is read: a pipe without a
 * writer, or a device, would hold a thread of Node for ever, and with four of them all of it.
 */
import { constants } from "node:fs"
import { type FileHandle, open } from "node:fs/promises"
import { InvalidInput } from "../Errors.ts"

/** A mistake of who named the media, told without the path. */
export const invalidMedia = (detail: string): InvalidInput =>
  new InvalidInput({ code: "InvalidMedia", message: `media: ${detail}` })

const noFile = "this is no regular file, but a pipe, a device or a socket"

/** Why a path cannot be opened, as far as its caller can mend it. The codes are Node's. */
const sentences: Readonly<Record<string, string>> = {
  EACCES: "this user may not read it",
  EISDIR: "this is a folder",
  ELOOP: "its links lead back to themselves",
  ENAMETOOLONG: "its name is too long",
  ENOENT: "there is no such file",
  ENOTDIR: "there is no such file",
  ENXIO: noFile,
  EPERM: "this user may not read it",
  ERR_INVALID_ARG_VALUE: "no file has a name with NUL"
}

/** Opens a pipe without waiting for its writer, and a terminal without belonging to it. */
const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0)

const openOnly = async (path: string): Promise<FileHandle> => {
  try {
    return await open(path, flags)
  } catch (fault) {
    const code = fault instanceof Error ? Reflect.get(fault, "code") : undefined
    const sentence = typeof code === "string" ? sentences[code] : undefined
    throw sentence === undefined ? fault : invalidMedia(sentence)
  }
}

/** The bytes of a regular file, closed at their end or when nobody wants more. */
export const readMediaFile = async function* (path: string): AsyncGenerator<Uint8Array> {
  const file = await openOnly(path)
  try {
    const found = await file.stat()
    if (!found.isFile()) throw invalidMedia(found.isDirectory() ? "this is a folder" : noFile)
    yield* file.createReadStream({ autoClose: false })
  } finally {
    await file.close()
  }
}
