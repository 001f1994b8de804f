export type CsvValue = string | number | bigint | boolean | Uint8Array | null;

/** One line of RFC 4180, without its end. NULL is an empty field, an empty text is `""`, bytes are hexadecimal. */
export function csvLine(values: readonly CsvValue[]): string {
  return values.map(field).join(",");
}

function field(value: CsvValue): string {
  if (value === null) return "";
  if (value instanceof Uint8Array) return Buffer.from(value).toString("hex");
  const text = String(value);
  return text === "" || /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
