/**
 * The documentation as a site, which `npm run site` builds for the server's `/guide`. Every link
 * must lead to a page on the site or to a file in the repository.
 */
import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { defineConfig } from "vitepress"

const root = fileURLToPath(new URL("../../../", import.meta.url))
const repository = JSON.parse(readFileSync(join(root, "package.json"), "utf8")).homepage.replace(
  "#readme",
  ""
)

/** Whether a path in the repository is a page on the site. */
const isPage = (path) => /^(docs\/.+|[A-Z_]+)\.md$/.test(path) && path !== "AGENTS.md"

const toIndex = (path) => path.replace(/(^|\/)README\.md/, "$1index.md")

// Pages import Vue, which can only be found from inside this package.
const pages = fileURLToPath(new URL("../pages/", import.meta.url))
rmSync(pages, { recursive: true, force: true })
cpSync(join(root, "docs"), join(pages, "docs"), { recursive: true })
for (const path of readdirSync(root).filter(isPage)) cpSync(join(root, path), join(pages, path))

/** Converts a link for the site: to a page on the site, or to the repository for any other file. */
const rewriteLink = (href, page) => {
  if (/^(#|[a-z]+:)/.test(href)) return href
  const [path, hash = ""] = href.split(/(?=#)/)
  const target = join(dirname(page), path)
  if (isPage(target)) return toIndex(path) + hash
  if (!existsSync(join(root, target))) throw new Error(`${page}: there is no ${target}`)
  return `${repository}/blob/main/${target}${hash}`
}

const addLinks = (markdown) =>
  markdown.core.ruler.push("links", ({ env, tokens }) => {
    const links = tokens
      .flatMap(({ children }) => children ?? [])
      .filter(({ type }) => type === "link_open")
    for (const link of links)
      link.attrSet("href", rewriteLink(link.attrGet("href"), env.relativePath))
  })

/** Creates the same anchors as GitHub, because the documentation uses GitHub's anchors. */
const slugify = (text) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replace(/\s/g, "-")

/** Builds the sidebar from the headings and links in docs/README.md. */
const sidebar = readFileSync(join(root, "docs/README.md"), "utf8")
  .split(/^## /m)
  .slice(1)
  .map((section) => {
    const [text, ...lines] = section.split("\n")
    const links = lines.join(" ").matchAll(/\[([^\]]+)\]\(([^)]+\.md)\)/g)
    const items = [...links].map(([, name, path]) => ({
      text: name[0].toUpperCase() + name.slice(1),
      link: `/${toIndex(join("docs", path))}`
    }))
    return { text, items }
  })

// biome-ignore lint/style/noDefaultExport: VitePress reads it.
export default defineConfig({
  title: "Verbatim",
  base: "/guide/",
  srcDir: "pages",
  rewrites: { "README.md": "index.md", "docs/README.md": "docs/index.md" },
  outDir: "../../packages/server/dist/guide",
  cacheDir: "../../.cache/site",
  vite: { build: { chunkSizeWarningLimit: 2_000 } },
  markdown: { config: addLinks, linkify: false, anchor: { slugify } },
  themeConfig: { sidebar, outline: [2, 3], search: { provider: "local" } }
})
