const MEBIBYTE = 2 ** 20;

/** Memory as sites.yaml takes it, without a loss: `8000MiB`, `64GiB`. */
export function memoryText(bytes: number): string {
  const mebibytes = Math.floor(bytes / MEBIBYTE);
  return mebibytes % 1024 === 0 ? `${mebibytes / 1024}GiB` : `${mebibytes}MiB`;
}

/** A time as sites.yaml takes it, without a loss: `7d`, `36h`, `90m`. */
export function timeText(seconds: number): string {
  const [unit, name] = (
    [
      [86_400, "d"],
      [3600, "h"],
      [60, "m"],
    ] as const
  ).find(([size]) => seconds % size === 0) ?? [1, "s"];
  return `${seconds / unit}${name}`;
}
