import type { PreparedRuntime } from "@wf/backend";

const ORIGINS: Readonly<Record<PreparedRuntime["how"], string>> = {
  found: "found",
  uv: "built with uv",
  venv: "built with venv and pip",
  debian: "from Debian's packages",
};

/** `Python 3.11.2, numpy 1.24.2, torch 1.13.0 (found: /usr/bin/python3)`. */
export function runtimeText({
  how,
  interpreter,
  python,
  packages,
}: Pick<PreparedRuntime, "how" | "interpreter" | "python"> & {
  readonly packages: Readonly<Record<string, string | null>>;
}): string {
  const parts = Object.entries(packages).map(([name, version]) => (version === null ? name : `${name} ${version}`));
  return `${[`Python ${python}`, ...parts].join(", ")} (${ORIGINS[how]}: ${interpreter})`;
}
