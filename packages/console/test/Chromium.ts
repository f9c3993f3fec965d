/**
 * Starts the browser for the tests: Chromium from an npm package, unpacked once per checkout, or
 * the installed Chrome if that Chromium does not run.
 */
import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { promisify } from "node:util"
import { type Browser, chromium } from "playwright-core"

const run = promisify(execFile)

const cache = fileURLToPath(new URL("../../../node_modules/.cache/", import.meta.url))

/** The path to the npm package's program, which is the package's only export. */
const carrier = createRequire(import.meta.url).resolve("@sparticuz/chromium")

const inCarrier = (path: string): string => join(dirname(carrier), "..", path)

/** Unpacks the program into the temporary folder, with libraries that minimal systems lack. */
const unpack = `
const { default: Chromium, inflate } = await import(${JSON.stringify(pathToFileURL(carrier).href)})
Chromium.setGraphicsMode = false
await Chromium.executablePath()
await inflate(${JSON.stringify(inCarrier("bin/al2023.tar.br"))})
`

/** Configures fonts: the system's fonts, and the package's font under the names that pages use. */
const fontsOf = (folder: string): string => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir>${join(folder, "fonts")}</dir>
  <cachedir>${join(folder, "fonts-cache")}</cachedir>
  <match><test name="family"><string>system-ui</string></test>
    <edit name="family" mode="assign" binding="same"><string>Open Sans</string></edit></match>
</fontconfig>
`

/**
 * Returns the program's folder, and unpacks it if necessary. Two processes can do so concurrently.
 */
const findFolder = async (): Promise<string> => {
  const { version } = JSON.parse(await readFile(inCarrier("package.json"), "utf8"))
  const folder = join(cache, `chromium-${version}`)
  if (existsSync(join(folder, "chromium"))) return folder
  await mkdir(cache, { recursive: true })
  const waiting = await mkdtemp(join(cache, "chromium-"))
  await run(process.execPath, ["--input-type=module", "--eval", unpack], {
    env: { ...process.env, TMPDIR: waiting }
  })
  await writeFile(join(waiting, "fonts.conf"), fontsOf(folder))
  await rename(waiting, folder).catch(() => rm(waiting, { recursive: true, force: true }))
  return folder
}

/** The package's libraries, if the system lacks some. */
const librariesOf = async (folder: string): Promise<Readonly<Record<string, string>>> => {
  const { stdout } = await run("ldd", [join(folder, "chromium")]).catch(() => ({ stdout: "" }))
  return stdout.includes("not found") ? { LD_LIBRARY_PATH: join(folder, "al2023", "lib") } : {}
}

/** The sandbox is disabled, because tests also run as root and in containers. */
const args = ["--no-sandbox", "--no-zygote", "--disable-gpu", "--font-render-hinting=none"]

/** Whether the browser is the one from the package, which is the same on all machines. */
export const isPinned: boolean = process.platform === "linux" && process.arch === "x64"

export const startBrowser = async (): Promise<Browser> => {
  if (!isPinned) return chromium.launch({ channel: "chrome" })
  const folder = await findFolder()
  return chromium.launch({
    executablePath: join(folder, "chromium"),
    args,
    env: {
      ...(process.env as Record<string, string>),
      FONTCONFIG_FILE: join(folder, "fonts.conf"),
      ...(await librariesOf(folder))
    }
  })
}
