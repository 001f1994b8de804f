/** A Python of another machine. */
export interface FoundPython {
  /** As it would be named: `python3`, or a path. */
  readonly name: string;
  readonly path: string;
  readonly version: string;
}

const OLDEST = [3, 6] as const;

export const VERSION_EXPRESSION = 'import sys; print("%d.%d.%d" % sys.version_info[:3])';

/** Lines of sh that print what `parsePythons` reads; the best come first. */
export const PYTHON_LINES = `for name in python3 /usr/bin/python3 python3.14 python3.13 python3.12 python3.11 python3.10 python3.9 python3.8 \\
  python3.7 python3.6 /usr/libexec/platform-python; do
  path=$(command -v "$name" 2>/dev/null) || continue
  version=$("$path" -I -c '${VERSION_EXPRESSION}' 2>/dev/null) || continue
  printf '%s\\037%s\\037%s\\n' "$name" "$path" "$version"
done`;

export function parsePythons(text: string): readonly FoundPython[] {
  return text
    .split("\n")
    .map((line) => line.split("\x1f"))
    .filter((fields) => fields.length === 3)
    .map(([name = "", path = "", version = ""]) => ({ name, path, version }));
}

/** The first that the launcher can use. */
export function choosePython(pythons: readonly FoundPython[]): FoundPython | undefined {
  return pythons.find(({ version }) => isNewEnough(version));
}

/** For the launcher, inside of a job. */
export function isNewEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
}
