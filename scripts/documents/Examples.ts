/** Copies programs from files that the tests run into documents. */

const shown = /<!-- example: (\S+) -->\n+```(\w+)\n([\s\S]*?)^```$/gm

/** Lists the paths of a document's programs. */
export const examplesIn = (document: string): ReadonlyArray<string> =>
  Array.from(document.matchAll(shown), ([, path = ""]) => path)

/** Inserts every program in the form that `read` returns. */
export const withExamples = (document: string, read: (path: string) => string): string =>
  document.replace(
    shown,
    (_, path: string, language: string) =>
      `<!-- example: ${path} -->\n\n\`\`\`${language}\n${read(path).trimEnd()}\n\`\`\``
  )
