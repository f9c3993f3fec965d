/** Copies programs into documents from files that the tests run. */

const shown = /<!-- example: (\S+) -->\n+```(\w+)\n([\s\S]*?)^```$/gm

/** Lists the paths of the programs in a document. */
export const examplesIn = (document: string): ReadonlyArray<string> =>
  Array.from(document.matchAll(shown), ([, path = ""]) => path)

/** Inserts every program as `read` returns it. */
export const withExamples = (document: string, read: (path: string) => string): string =>
  document.replace(
    shown,
    (_, path: string, language: string) =>
      `<!-- example: ${path} -->\n\n\`\`\`${language}\n${read(path).trimEnd()}\n\`\`\``
  )
