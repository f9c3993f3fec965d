/** Explains database and file errors to operators. */
export {
  type DatabaseLocation,
  databaseSentence,
  migrationSentence,
  placeOf,
  sentenceOf
} from "./DatabaseTrouble.ts"
export { causesOf, codeOf, fileReasonOf } from "./FileTrouble.ts"
