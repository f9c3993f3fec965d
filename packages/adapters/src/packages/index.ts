/** Loads optional packages, and defines the error for a missing package. */
export { load, type OptionalPackage, PackageMissing } from "./OptionalPackage.ts"
