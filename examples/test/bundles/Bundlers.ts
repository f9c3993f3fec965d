/** Bundles a program into one file, with two bundlers, as modules and as CommonJS. */
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"
import { rolldown } from "rolldown"

/** The file extensions of modules and of CommonJS. */
const formats = { esm: "program.mjs", cjs: "program.cjs" } as const
export type Format = keyof typeof formats

const entry = fileURLToPath(new URL("program.ts", import.meta.url))

/** Uses the sources of packages, so that nothing stale is bundled. `effect` has no CommonJS. */
const conditions = ["@verbatim/source", "node", "import"]

/**
 * Optional packages, which need not be installed. For S3 the whole entry point is external: inside
 * the bundle its import of the client would be evaluated first.
 */
const optional = ["sherpa-onnx-node", "@verbatim/adapters/s3"]

/** Bundles the program into a folder, and returns the path of its file. */
type Bundle = (folder: string, format: Format) => Promise<string>

const esbuild: Bundle = async (folder, format) => {
  const outfile = join(folder, formats[format])
  // Libraries that load their parts with `require` need such a function, as every user of esbuild
  // finds. No minifier generates this name.
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

/** The bundlers by name. */
export const bundlers = { esbuild, rolldown: rolled } as const
