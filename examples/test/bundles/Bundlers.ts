/** A program as one file, by two bundlers, as modules and as CommonJS. */
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"
import { rolldown } from "rolldown"

/** What a file of modules, or of CommonJS, is called. */
const formats = { esm: "program.mjs", cjs: "program.cjs" } as const
export type Format = keyof typeof formats

const entry = fileURLToPath(new URL("program.ts", import.meta.url))

/** Packages are their sources, so that nothing stale is bundled; `effect` has no CommonJS. */
const conditions = ["@verbatim/source", "node", "import"]

/**
 * What is asked for only by those who use it, and need not be there. Of media in a bucket the whole
 * door: inside of the file its import of the client would come before all else.
 */
const optional = ["sherpa-onnx-node", "@verbatim/adapters/s3"]

/** Makes the program in a folder, and gives the path of its file. */
type Bundle = (folder: string, format: Format) => Promise<string>

const esbuild: Bundle = async (folder, format) => {
  const outfile = join(folder, formats[format])
  // Libraries that ask for their parts with `require` need one, as every user of esbuild finds.
  // A name that no minifier makes.
  const banner =
    'import { createRequire as requireFrom } from "node:module"; ' +
    "const require = requireFrom(import.meta.url);"
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: "node",
    format,
    minify: true,
    keepNames: true,
    conditions,
    external: optional,
    logLevel: "error",
    ...(format === "esm" ? { banner: { js: banner } } : {})
  })
  return outfile
}

const rolled: Bundle = async (folder, format) => {
  const file = join(folder, formats[format])
  const bundle = await rolldown({
    input: entry,
    platform: "node",
    resolve: { conditionNames: conditions },
    external: optional
  })
  await bundle.write({ file, format, codeSplitting: false, minify: true })
  await bundle.close()
  return file
}

/** The bundlers by their names. */
export const bundlers = { esbuild, rolldown: rolled } as const
