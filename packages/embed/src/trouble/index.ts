/** What is wrong with a database or a file, in sentences for whoever runs the process. */
export {
  type DatabaseLocation,
  databaseSentence,
  migrationSentence,
  placeOf,
  sentenceOf
} from "./DatabaseTrouble.ts"
export { causesOf, codeOf, fileReasonOf } from "./FileTrouble.ts"
