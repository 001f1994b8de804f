import { spawn } from "node:child_process";
import { basename } from "node:path";

/** Lets a script that brings up clusters do something with the one in a folder. */
export async function actOnRecipe(
  recipe: string,
  command: "up" | "down" | "wipe",
  folder: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<void> {
  const child = spawn(recipe, [command, folder], {
    env: { ...process.env, ...settings },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  const code = await new Promise((resolve, reject) => child.once("error", reject).once("close", resolve));
  if (code !== 0) throw new Error(`${basename(recipe)} ${command} failed: ${said}`);
}
