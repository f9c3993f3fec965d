/** Programs that a document shows are files that the tests run, copied and never typed twice. */

const shown = /<!-- example: (\S+) -->\n+```(\w+)\n([\s\S]*?)^```$/gm

/** The paths of the programs that a document shows. */
export const examplesIn = (document: string): ReadonlyArray<string> =>
  Array.from(document.matchAll(shown), ([, path = ""]) => path)

/** The document with every program as `read` gives it. */
export const withExamples = (document: string, read: (path: string) => string): string =>
  document.replace(
    shown,
    (_, path: string, language: string) =>
      `<!-- example: ${path} -->\n\n\`\`\`${language}\n${read(path).trimEnd()}\n\`\`\``
  )
