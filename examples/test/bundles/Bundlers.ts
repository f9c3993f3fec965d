/** Bundles a program into one file with one of two bundlers, as an ES module or as CommonJS. */
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"
import { rolldown } from "rolldown"

/** A bundle's file name in each format. */
const formats = { esm: "program.mjs", cjs: "program.cjs" } as const
export type Format = keyof typeof formats

const entry = fileURLToPath(new URL("program.ts", import.meta.url))

/**
 * Selects the packages' sources, so that no outdated build is bundled. `effect` is published only
 * as ES modules.
 */
const conditions = ["@verbatim/source", "node", "import"]

/**
 * Optional packages, which may be missing. The whole S3 entry point is external, because a bundle
 * would evaluate the entry point's import of the S3 client first.
 */
const optional = ["sherpa-onnx-node", "@verbatim/adapters/s3"]

/** Bundles the program into a folder, and returns the path of its file. */
type Bundle = (folder: string, format: Format) => Promise<string>

const esbuild: Bundle = async (folder, format) => {
  const outfile = join(folder, formats[format])
  // Some libraries load modules with `require`, which ES modules lack. The alias has a name that no
  // minifier generates.
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

export const bundlers = { esbuild, rolldown: rolled } as const
