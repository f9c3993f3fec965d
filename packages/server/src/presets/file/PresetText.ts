/** A preset from the text of a file. The parser of YAML is loaded with this file. */
import { decodeFile, type PresetFile } from "@verbatim/core/preset"
import { ExactNumber, type Problem } from "@verbatim/core/schema"
import { Option, Result } from "effect"
import type { FileFormat } from "./FileName.ts"
import { FileProblem } from "./FileProblem.ts"
import { type ReadText, readYaml } from "./YamlReader.ts"

/** A text, where it comes from, and what it is written in. */
export interface GivenText {
  readonly file: string
  readonly text: string
  readonly format: FileFormat
}

const tell = (problems: ReadonlyArray<Problem>): string =>
  problems.map(({ path, rule }) => (path === "" ? rule : `${path}: ${rule}`)).join("; ")

/** Reads a text that is JSON, or YAML where it may be. */
const readText = ({ file, format, text }: GivenText): Result.Result<ReadText, FileProblem> => {
  const body = text.startsWith("\ufeff") ? text.slice(1) : text
  const read = Result.mapError(readYaml(body), (problem) => new FileProblem({ file, ...problem }))
  return format === "json" && Result.isSuccess(read) && Option.isNone(ExactNumber.parse(body))
    ? Result.fail(new FileProblem({ file, line: null, sentence: "it is not JSON" }))
    : read
}

/** Reads a preset; the line is that of the first thing that is wrong. */
export const readPreset = (given: GivenText): Result.Result<PresetFile, FileProblem> =>
  Result.flatMap(readText(given), ({ document, lineOf }) =>
    Result.mapError(decodeFile(document), ({ problems }) => {
      const [{ path }] = problems
      return new FileProblem({ file: given.file, line: lineOf(path), sentence: tell(problems) })
    })
  )
