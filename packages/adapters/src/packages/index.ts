/** Packages that a host chooses, and what is said where one is missing. */
export { load, type OptionalPackage, PackageMissing } from "./OptionalPackage.ts"
