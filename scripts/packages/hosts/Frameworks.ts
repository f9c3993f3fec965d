/**
 * Lists frameworks that build hosts, with the packages, files and commands that each framework
 * needs. Only these tests use the frameworks.
 */

export interface Framework {
  readonly title: string
  /** The folder of the framework's example, copied as the host. */
  readonly folder: string
  readonly installs: ReadonlyArray<string>
  /** The files to copy from the example. */
  readonly copies: ReadonlyArray<string>
  /** The host's other files, keyed by their paths within the folder. */
  readonly writes: Readonly<Record<string, string>>
  /** Node programs to run in the folder. */
  readonly build: ReadonlyArray<string>
  readonly start: (port: number) => ReadonlyArray<string>
  readonly environment: (port: number) => Readonly<Record<string, string>>
}

const page = `export const GET = (): Response => new Response("the host")\n`
const modules = "../../node_modules"

/** Without this setting, Next's bundle would import the S3 client. */
const nextConfig = `export default {
  serverExternalPackages: ["@verbatim/embed"],
  outputFileTracingRoot: process.cwd().replace(/examples.*/, "")
}
`

const next: Framework = {
  title: "Next",
  folder: "examples/6-next",
  installs: [
    "next@16.4.6",
    "react@19.3.1",
    "react-dom@19.3.1",
    // Next checks types with this compiler.
    "typescript@6.0.3",
    "@types/react@19.3.0",
    "@types/node@22.20.5"
  ],
  copies: ["verbatim.ts", "app/api/verbatim/[[...path]]/route.ts"],
  writes: {
    "app/route.ts": page,
    "next.config.mjs": nextConfig,
    "tsconfig.json": JSON.stringify({
      compilerOptions: {
        target: "ES2024",
        lib: ["ES2024", "DOM"],
        module: "esnext",
        moduleResolution: "bundler",
        strict: true,
        skipLibCheck: true,
        jsx: "react-jsx",
        noEmit: true,
        allowImportingTsExtensions: true
      }
    })
  },
  build: [`${modules}/next/dist/bin/next`, "build"],
  start: (port) => [`${modules}/next/dist/bin/next`, "start", "-H", "127.0.0.1", "-p", `${port}`],
  environment: () => ({ NEXT_TELEMETRY_DISABLED: "1" })
}

const viteConfig = `import adapter from "@sveltejs/adapter-node"
import { sveltekit } from "@sveltejs/kit/vite"
export default { plugins: [sveltekit({ adapter: adapter() })] }
`

const kit: Framework = {
  title: "SvelteKit",
  folder: "examples/7-sveltekit",
  installs: [
    "@sveltejs/kit@3.2.0",
    "@sveltejs/adapter-node@6.0.1",
    "@sveltejs/vite-plugin-svelte@7.3.1",
    "svelte@5.57.3",
    "vite@8.3.8"
  ],
  copies: ["src/hooks.server.ts"],
  writes: {
    // SvelteKit's Node adapter bundles every package that is not a dependency.
    "package.json": JSON.stringify({ type: "module", dependencies: { "@verbatim/embed": "*" } }),
    "vite.config.js": viteConfig,
    "src/app.html": "<html><head>%sveltekit.head%</head><body>%sveltekit.body%</body></html>",
    "src/routes/+server.ts": page
  },
  build: [`${modules}/vite/bin/vite.js`, "build"],
  start: () => ["build/index.js"],
  environment: (port) => ({
    HOST: "127.0.0.1",
    PORT: String(port),
    // SvelteKit's default limit for bodies is half a megabyte.
    BODY_SIZE_LIMIT: "Infinity"
  })
}

export const frameworks: ReadonlyArray<Framework> = [next, kit]
