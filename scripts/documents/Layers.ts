/** The folders of a package as a picture: an arrow for each that imports another. */
import { posix } from "node:path"

/** A file by its path inside the package, with its text. */
export interface File {
  readonly path: string
  readonly text: string
}

type Arrows = ReadonlyMap<string, ReadonlySet<string>>

const specifiers = /from "(\.[^"]+)"/g

/** Which folders each folder imports. */
export const arrowsOf = (files: ReadonlyArray<File>): Arrows => {
  const arrows = new Map<string, Set<string>>()
  for (const { path, text } of files) {
    const from = posix.dirname(path)
    if (from === ".") continue
    const to = arrows.get(from) ?? new Set()
    for (const [, specifier = ""] of text.matchAll(specifiers)) {
      const folder = posix.dirname(posix.join(from, specifier))
      if (folder !== from) to.add(folder)
    }
    arrows.set(from, to)
  }
  return arrows
}

const reaches = (arrows: Arrows, from: string, to: string): boolean =>
  Array.from(arrows.get(from) ?? []).some((next) => next === to || reaches(arrows, next, to))

/** Only the arrows that no path over another folder implies. There must be no circle. */
export const shortestOf = (arrows: Arrows): ReadonlyArray<readonly [string, string]> =>
  Array.from(arrows)
    .flatMap(([from, all]) =>
      Array.from(all)
        .filter((to) => ![...all].some((other) => other !== to && reaches(arrows, other, to)))
        .map((to) => [from, to] as const)
    )
    .sort()

const idOf = (folder: string) => folder.replaceAll("/", "_")

const nameOf = (folder: string) => folder.split("/").at(-1) ?? folder

/** The picture as Mermaid: what is imported stands below. */
export const pictureOf = (files: ReadonlyArray<File>): string => {
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

/** The document with the picture between its marks; none when there are no marks. */
export const withPicture = (document: string, picture: string): string | undefined =>
  marks.test(document)
    ? document.replace(marks, (_, open: string, close: string) => `${open}${picture}${close}`)
    : undefined
