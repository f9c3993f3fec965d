/** Optional packages, and the error for a missing one. */
export { load, type OptionalPackage, PackageMissing } from "./OptionalPackage.ts"
