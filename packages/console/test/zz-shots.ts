import { readFile } from "node:fs/promises"
import { startBrowser } from "./Chromium.ts"
import { keys, startServer } from "./Server.ts"

const [server, browser] = await Promise.all([startServer(), startBrowser()])
const put = (path: string, body: unknown, init: RequestInit = {}) =>
  server
    .request(path, {
      method: "POST",
      body: JSON.stringify(body),
      ...init,
      headers: { "content-type": "application/json", ...init.headers }
    })
    .then(async (r) => {
      if (!r.ok) console.log(path, r.status, await r.text())
      return r
    })
const p1 = `You write the minutes of a meeting.

Write short sentences in the past tense. Name who decided what.
Leave out greetings and small talk.

At the end list what is to be done, by whom and until when.
If nothing was decided, say so in one sentence.

<script>alert(1)</script> <img src=x onerror=alert(2)>

Answer in the language of the meeting.
Never make up names.
Never make up dates.
Use plain words.
Keep numbers as they were said.`
const p2 =
  p1
    .replace("short sentences in the past tense", "short, plain sentences in the past tense")
    .replace("Leave out greetings and small talk.\n", "")
    .replace("Use plain words.", "Use plain words that everybody knows.") + "\nSign with nothing."
await put("/v1/presets/meeting-notes/responses?comment=First%20try", {
  model: "openai/gpt-5-mini",
  instructions: p1,
  temperature: 0.7,
  max_output_tokens: 800
})
await put("/v1/presets/meeting-notes/responses?comment=Plainer%20and%20shorter", {
  model: "openai/gpt-5-mini",
  instructions: p2,
  temperature: 0.2,
  max_output_tokens: 1200,
  reasoning: { effort: "low" }
})
await put("/v1/presets/meeting-notes/responses?stage=true&comment=Tools%20%3Cb%3Etried%3C%2Fb%3E", {
  model: "openai/gpt-5",
  instructions: p2 + "\nAsk the calendar.",
  temperature: 0.2,
  max_output_tokens: 1200,
  reasoning: { effort: "medium" },
  tools: [{ type: "function", name: "calendar", parameters: { type: "object", properties: {} } }]
})
const label = (l: string, v: number) =>
  server.request(`/v1/presets/meeting-notes/labels/${l}`, {
    method: "PUT",
    body: JSON.stringify({ version: v }),
    headers: { "content-type": "application/json" }
  })
await label("production", 1)
await label("canary", 2)
await new Promise((r) => setTimeout(r, 1500))
await label("production", 2)
await label("canary", 3)
await put("/v1/presets/support-reply/messages", {
  model: "anthropic/claude-sonnet-4",
  system: "You answer politely.",
  max_tokens: 500
})
await put("/v1/presets/titles/chat/completions", {
  model: "openai/gpt-5-nano",
  messages: [{ role: "system", content: "One title." }]
})
await server.request("/v1/presets/titles", {
  method: "PATCH",
  body: JSON.stringify({
    status: "disabled",
    description: "One line for a list of recordings",
    name: "Titles"
  }),
  headers: { "content-type": "application/json" }
})
await server.request("/v1/presets/meeting-notes", {
  method: "PATCH",
  body: JSON.stringify({
    description:
      "Minutes out of what was said, for the archive <i>and</i> for those who were not there",
    name: "Meeting notes"
  }),
  headers: { "content-type": "application/json" }
})
const scenes = (process.argv[2] ?? "all").split(",")
const shots: Record<string, (page: any) => Promise<void>> = {
  list: async (page) => {
    await page.goto(`${server.address}/console/#/presets`)
    await page.getByText("support-reply").first().waitFor()
  },
  versions: async (page) => {
    await page.goto(`${server.address}/console/#/presets/meeting-notes`)
    await page.getByRole("article").waitFor()
  },
  staged: async (page) => {
    await page.goto(`${server.address}/console/#/presets/meeting-notes?version=3`)
    await page.getByRole("article").waitFor()
  },
  compare: async (page) => {
    await page.goto(`${server.address}/console/#/presets/meeting-notes?view=compare&from=1&to=2`)
    await page.locator(".diff").first().waitFor()
  },
  try: async (page) => {
    await page.goto(
      `${server.address}/console/#/presets/meeting-notes?view=try&a=designated&b=canary`
    )
    await page.locator(".resolutions").waitFor()
  },
  history: async (page) => {
    await page.goto(`${server.address}/console/#/presets/meeting-notes?view=history`)
    await page.locator(".timeline").waitFor()
  },
  label: async (page) => {
    await page.goto(`${server.address}/console/#/presets/meeting-notes?version=3`)
    await page.getByRole("button", { name: "Labels…" }).click()
  },
  form: async (page) => {
    await page.goto(`${server.address}/console/#/presets/meeting-notes?version=3`)
    await page.getByRole("button", { name: "New version", exact: true }).click()
    await page.waitForTimeout(900)
  }
}
for (const [kind, options] of Object.entries({
  wide: { viewport: { width: 1280, height: 860 }, colorScheme: "light" as const },
  phone: { viewport: { width: 360, height: 740 }, colorScheme: "dark" as const }
})) {
  const page = await (await browser.newContext(options)).newPage()
  page.on("console", (m) => console.log(kind, m.type(), m.text()))
  page.on("pageerror", (e) => console.log(kind, "ERROR", e.message))
  await page.goto(`${server.address}/console/`)
  await page.getByLabel("API key").fill(keys.management)
  await page.getByRole("button", { name: "Log in" }).click()
  await page.getByRole("navigation").first().waitFor()
  for (const [name, go] of Object.entries(shots)) {
    if (!scenes.includes("all") && !scenes.includes(name)) continue
    try {
      await go(page)
      await page.waitForTimeout(200)
      await page.screenshot({
        path: `/tmp/shots/${name}-${kind}.png`,
        fullPage: !["label", "form"].includes(name)
      })
      const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      if (over > 0) console.log(kind, name, "overflows", over)
    } catch (e) {
      console.log(kind, name, String(e).slice(0, 300))
      await page.screenshot({ path: `/tmp/shots/${name}-${kind}.png` })
    }
  }
}
await browser.close()
await server.stop()
