/** Stories in a real browser on a separate server: login, operators, security and deployment. */
import { describe } from "vitest"
import { onStage } from "./Stage.ts"
import { attacks } from "./stories/Attacks.ts"
import { deployment } from "./stories/Deployment.ts"
import { login } from "./stories/Login.ts"
import { operators } from "./stories/Operators.ts"
import { security } from "./stories/Security.ts"

describe("the console", () => {
  const stage = onStage()

  describe("at login", () => login(stage))
  describe("for operators", () => operators(stage))
  describe("as a secure page", () => security(stage))
  describe("other pages", () => attacks(stage))
  // These stories come last, because they replace the server process.
  describe("in any deployment", () => deployment(stage))
})
