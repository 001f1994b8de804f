/** Local time to the second: `2026-03-09 04:05:06`. */
export function formatTime(unixSeconds: number): string {
  const date = new Date(unixSeconds * 1000);
  const day = [date.getFullYear(), twoDigits(date.getMonth() + 1), twoDigits(date.getDate())].join("-");
  return `${day} ${[date.getHours(), date.getMinutes(), date.getSeconds()].map(twoDigits).join(":")}`;
}

function twoDigits(number: number): string {
  return String(number).padStart(2, "0");
}
