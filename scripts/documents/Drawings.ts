/**
 * Draws diagrams from the code, for the edges of state machines and the imports between folders.
 */
import { posix } from "node:path"

/** A table of edges, with the accepted events and their target states for each state. */
export type Edges = Readonly<Record<string, Readonly<Record<string, string>>>>

/** Returns the diagram's lines. The table's first row is the initial state. */
const diagram = (edges: Edges): ReadonlyArray<string> => {
  const moves = Object.entries(edges).flatMap(([from, row]) =>
    Object.entries(row).map(([event, to]) => `  ${from} --> ${to}: ${event}`)
  )
  return ["stateDiagram-v2", `  [*] --> ${Object.keys(edges)[0] ?? ""}`, ...moves]
}

const fence = /^( \* ```mermaid\n)(?: \*[^\n]*\n)*?( \* ```\n)/m

const opening = /^\/\*\*[\s\S]*?\*\/\n/

/** Inserts the diagram into a text's module comment, which must have a fence for it. */
export const withDiagram = (text: string, edges: Edges): string => {
  const comment = opening.exec(text)?.[0] ?? ""
  if (!fence.test(comment)) throw new Error("the module comment has no ```mermaid fence")
  const lines = diagram(edges).map((line) => ` * ${line}\n`)
  const drawn = comment.replace(fence, (_, start, end) => start + lines.join("") + end)
  return drawn + text.slice(comment.length)
}

/** A file, with its path inside the package and its text. */
interface File {
  readonly path: string
  readonly text: string
}

type Arrows = ReadonlyMap<string, ReadonlySet<string>>

const specifiers = /from "(\.[^"]+)"/g

/**
 * Returns a file's folder. The services' subfolders use each other, and are drawn as a single
 * folder.
 */
const folderOf = (path: string): string => {
  const folder = posix.dirname(path)
  return folder.startsWith("services/") ? "services" : folder
}

/** Finds the folders that each folder imports. */
const arrowsOf = (files: ReadonlyArray<File>): Arrows => {
  const arrows = new Map<string, Set<string>>()
  for (const { path, text } of files) {
    const from = folderOf(path)
    if (from === ".") continue
    const to = arrows.get(from) ?? new Set()
    for (const [, specifier = ""] of text.matchAll(specifiers)) {
      const folder = folderOf(posix.join(posix.dirname(path), specifier))
      if (folder !== from) to.add(folder)
    }
    arrows.set(from, to)
  }
  return arrows
}

const reaches = (arrows: Arrows, from: string, to: string): boolean =>
  Array.from(arrows.get(from) ?? []).some((next) => next === to || reaches(arrows, next, to))

/** Keeps only the arrows that are not implied by a longer path. Cycles are not allowed. */
const shortestOf = (arrows: Arrows): ReadonlyArray<readonly [string, string]> =>
  Array.from(arrows)
    .flatMap(([from, all]) =>
      Array.from(all)
        .filter((to) => ![...all].some((other) => other !== to && reaches(arrows, other, to)))
        .map((to) => [from, to] as const)
    )
    .sort()

const idOf = (folder: string) => folder.replaceAll("/", "_")

const nameOf = (folder: string) => folder.split("/").at(-1) ?? folder

/** Draws the diagram in Mermaid, with imported folders below. */
const pictureOf = (files: ReadonlyArray<File>): string => {
  const arrows = arrowsOf(files)
  const folders = [...arrows.keys()].sort()
  const inDomain = folders.filter((folder) => folder.startsWith("domain/"))
  return [
    "```mermaid",
    "flowchart TD",
    "  subgraph domain",
    ...inDomain.map((folder) => `    ${idOf(folder)}[${nameOf(folder)}]`),
    "  end",
    ...shortestOf(arrows).map(([from, to]) => `  ${idOf(from)} --> ${idOf(to)}`),
    "```"
  ].join("\n")
}

const marks = /(<!-- layers -->\n)[\s\S]*?(\n<!-- end of layers -->)/

/** Inserts the diagram between its marks in a document. */
export const withPicture = (document: string, files: ReadonlyArray<File>): string => {
  if (!marks.test(document)) throw new Error("the document has no marks for the picture")
  const picture = pictureOf(files)
  return document.replace(marks, (_, open: string, close: string) => `${open}${picture}${close}`)
}
