import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Whether a program is on the PATH. */
export function hasProgram(name) {
  return (process.env.PATH ?? "").split(delimiter).some((folder) => folder !== "" && existsSync(join(folder, name)));
}

/** Installs Debian packages where that is ours to do: on Debian or its children, as root. */
export async function installDebianPackages(names, run) {
  if (process.getuid?.() !== 0 || !existsSync("/etc/debian_version") || !hasProgram("apt-get")) return false;
  // Another of our own steps may be installing something at this moment.
  const apt = ["apt-get", "-o", "DPkg::Lock::Timeout=300"];
  const env = { DEBIAN_FRONTEND: "noninteractive" };
  const install = () => run([...apt, "install", "-y", "--no-install-recommends", ...names], { env });
  if ((await install()).code === 0) return true;
  await run([...apt, "update"], { env });
  return (await install()).code === 0;
}
