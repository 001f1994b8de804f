/** `Usr 0 00:00:05, Sys 0 00:00:01`: days, hours, minutes and seconds. */
export function parseUsage(text: string): { readonly userSeconds: number; readonly systemSeconds: number } | null {
  const parts = /^Usr (\d+) (\d+):(\d+):(\d+), Sys (\d+) (\d+):(\d+):(\d+)$/.exec(text.trim());
  if (parts === null) return null;
  const [days = 0, hours = 0, minutes = 0, seconds = 0, ...system] = parts.slice(1).map(Number);
  return { userSeconds: inSeconds([days, hours, minutes, seconds]), systemSeconds: inSeconds(system) };
}

function inSeconds([days = 0, hours = 0, minutes = 0, seconds = 0]: readonly number[]): number {
  return ((days * 24 + hours) * 60 + minutes) * 60 + seconds;
}
