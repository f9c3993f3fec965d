/** Optional packages, and the error if one is missing. */
export { load, type OptionalPackage, PackageMissing } from "./OptionalPackage.ts"
