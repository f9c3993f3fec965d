import { assert, describe, it } from "vitest"
import { findingsIn, type Shipment } from "../packages.ts"

const repository = { type: "git", url: "git+https://example.com/one.git" }

const project = {
  license: "MIT",
  homepage: "https://example.com/one#readme",
  bugs: "https://example.com/one/issues",
  repository
}

const manifest = {
  name: "@verbatim/one",
  version: "0.1.0",
  ...project,
  homepage: "https://example.com/one/tree/main/packages/one#readme",
  repository: { ...repository, directory: "packages/one" },
  keywords: ["one"],
  files: ["dist"],
  sideEffects: false,
  exports: { ".": { default: "./dist/index.js" }, "./package.json": "./package.json" }
}

const good: Shipment = {
  folder: "one",
  project,
  manifest,
  files: ["LICENSE", "README.md", "dist/index.js", "package.json"],
  readme:
    "# One\n\n```ts\n1\n```\n\n[The licence](LICENSE), [a site](https://example.com), [up](#one)",
  licence: "MIT",
  projectLicence: "MIT"
}

const broken: ReadonlyArray<readonly [finding: string, change: Partial<Shipment>]> = [
  ["LICENSE is missing, or differs", { licence: "" }],
  ["README.md is missing, or shows no program", { readme: "# One" }],
  [
    "README.md links to ../../docs/glossary.md,",
    { readme: `${good.readme} [words](../../docs/glossary.md#job)` }
  ],
  ["dist/test/a.js is in the tarball", { files: [...good.files, "dist/test/a.js"] }],
  [
    "list the entry points",
    { manifest: { ...manifest, exports: { ...manifest.exports, "./*": "./dist/*.js" } } }
  ],
  ["./package.json is missing", { manifest: { ...manifest, exports: {} } }],
  ["license differs", { manifest: { ...manifest, license: "ISC" } }],
  ["keywords is missing", { manifest: { ...manifest, keywords: [] } }],
  [
    `homepage is not ${manifest.homepage}`,
    { manifest: { ...manifest, homepage: project.homepage } }
  ],
  ["bugs differs from the project's", { manifest: { ...manifest, bugs: "" } }],
  ["repository is not the project's", { manifest: { ...manifest, repository } }]
]

describe("a package", () => {
  it("follows the rules for publishing", () => {
    assert.deepStrictEqual(findingsIn(good), [])
  })

  it.for(broken)("is rejected with `%s`", ([finding, change]) => {
    const [first, ...others] = findingsIn({ ...good, ...change })
    assert.include(first, finding)
    assert.deepStrictEqual(others, [])
  })
})
