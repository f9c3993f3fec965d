import { run } from "#src/simulation/Simulation"
import { noticePlants } from "./test/simulation/NoticePlants.ts"
import { plants } from "./test/simulation/Plants.ts"
import { retentionPlants } from "./test/simulation/RetentionPlants.ts"
for (const plant of [...plants, ...noticePlants, ...retentionPlants]) {
  const finds = (seed: number) => run({ ...plant.options, seed }).violations.some(({ rule }) => plant.breaks.includes(rule))
  if (finds(plant.seed)) { console.log("ok", plant.fault); continue }
  let s = 1; while (s <= 600 && !finds(s)) s++
  console.log("SEED", plant.fault, "|", plant.seed, "->", s)
}
