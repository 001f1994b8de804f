import { existsSync, rmSync, writeFileSync } from "node:fs";

/** Asked by packages whether their services may start. */
const POLICY = "/usr/sbin/policy-rc.d";
const SYSTEMD = "/run/systemd/system";

/**
 * Installs a server that tests start on their own, and does not let it start as a service. With systemd it would at the
 * machine's next start: that is left to its owner. Returns whether it was installed.
 */
export async function withoutServices(install) {
  if (existsSync(SYSTEMD)) return false;
  const isMine = process.getuid?.() === 0 && !existsSync(POLICY);
  if (isMine) writeFileSync(POLICY, "#!/bin/sh\nexit 101\n", { mode: 0o755 });
  try {
    return await install();
  } finally {
    if (isMine) rmSync(POLICY, { force: true });
  }
}
