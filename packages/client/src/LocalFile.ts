/** Files of this machine, where the platform has any: on Node, Bun and Deno. */
import { unsent } from "./VerbatimError.ts"

interface Host {
  readonly getBuiltinModule?: (name: string) => unknown
}

interface Files {
  readonly openAsBlob: (path: string) => Promise<Blob>
}

/** Opens a file by its path; it is read as it is sent. */
export const fileAt = async (path: string): Promise<File> => {
  const { getBuiltinModule } = Object(Reflect.get(globalThis, "process")) as Host
  const files = getBuiltinModule?.("fs") as Files | undefined
  if (files === undefined) throw unsent("There are no files by path here: give a `file`")
  try {
    return new File([await files.openAsBlob(path)], path.split(/[\\/]/).at(-1) ?? path)
  } catch (cause) {
    throw unsent(`The file ${path} cannot be opened`, cause)
  }
}
