/**
 * Loads optional packages, such as engines and clients that not every host needs. If a package is
 * missing, the error message says what to install, and why.
 */
import { createRequire } from "node:module"
import { Effect, Predicate, Schema } from "effect"

/** An optional package, and the purpose that completes the message "Install … to …". */
export interface OptionalPackage {
  readonly name: string
  readonly purpose: string
}

/** A required package is not installed. */
export class PackageMissing extends Schema.TaggedError<PackageMissing>()("PackageMissing", {
  name: Schema.String,
  purpose: Schema.String
}) {
  override get message(): string {
    return installSentence(this)
  }
}

/** Returns the message that says what to install, and why. */
export const installSentence = ({ name, purpose }: OptionalPackage): string =>
  `Install ${name} to ${purpose}: npm install ${name}`

const codes: ReadonlyArray<unknown> = ["ERR_MODULE_NOT_FOUND", "MODULE_NOT_FOUND"]

/** Whether this package itself was not found, rather than a dependency of an installed package. */
export const isMissing = (cause: unknown, { name }: OptionalPackage): boolean =>
  Predicate.hasProperty(cause, "code") &&
  codes.includes(cause.code) &&
  Predicate.hasProperty(cause, "message") &&
  String(cause.message).includes(`'${name}'`)

/** Whether a package can be resolved from here. The package is not loaded. */
export const isInstalled = (wanted: OptionalPackage): Effect.Effect<boolean> =>
  Effect.sync(() => {
    try {
      createRequire(import.meta.url).resolve(wanted.name)
      return true
    } catch (cause) {
      // If the package exists but cannot be loaded, the error from the import says why.
      return !isMissing(cause, wanted)
    }
  })

/** Loads code that needs the package. Any other failure is a defect. */
export const load = <A>(
  wanted: OptionalPackage,
  read: () => Promise<A>
): Effect.Effect<A, PackageMissing> =>
  Effect.tryPromise(read).pipe(
    Effect.catch(({ cause }) =>
      isMissing(cause, wanted) ? Effect.fail(new PackageMissing(wanted)) : Effect.die(cause)
    )
  )
