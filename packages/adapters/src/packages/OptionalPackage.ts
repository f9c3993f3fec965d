/**
 * Packages that a host chooses: engines and clients that not everybody needs. What needs one that
 * is not installed says which, and how to get it, in one sentence.
 */
import { createRequire } from "node:module"
import { Effect, Predicate, Schema } from "effect"

/** A package, and what it is for: the words behind "to". */
export interface OptionalPackage {
  readonly name: string
  readonly purpose: string
}

/** A package is needed and not installed. */
export class PackageMissing extends Schema.TaggedError<PackageMissing>()("PackageMissing", {
  name: Schema.String,
  purpose: Schema.String
}) {
  override get message(): string {
    return sentenceFor(this)
  }
}

/** What to install, and for what. */
export const sentenceFor = ({ name, purpose }: OptionalPackage): string =>
  `Install ${name} to ${purpose}: npm install ${name}`

const codes: ReadonlyArray<unknown> = ["ERR_MODULE_NOT_FOUND", "MODULE_NOT_FOUND"]

/** Whether it is this package that could not be found, and not a part of one that is there. */
export const isMissing = (cause: unknown, { name }: OptionalPackage): boolean =>
  Predicate.hasProperty(cause, "code") &&
  codes.includes(cause.code) &&
  Predicate.hasProperty(cause, "message") &&
  String(cause.message).includes(`'${name}'`)

/** Whether a package is installed where this one finds it. Nothing of it is loaded. */
export const isInstalled = (wanted: OptionalPackage): Effect.Effect<boolean> =>
  Effect.sync(() => {
    try {
      createRequire(import.meta.url).resolve(wanted.name)
      return true
    } catch (cause) {
      // One that is there but cannot be loaded says itself what is wrong with it.
      return !isMissing(cause, wanted)
    }
  })

/** Loads what needs the package. Any other failure of loading it is a defect. */
export const load = <A>(
  wanted: OptionalPackage,
  read: () => Promise<A>
): Effect.Effect<A, PackageMissing> =>
  Effect.tryPromise(read).pipe(
    Effect.catch(({ cause }) =>
      isMissing(cause, wanted) ? Effect.fail(new PackageMissing(wanted)) : Effect.die(cause)
    )
  )
