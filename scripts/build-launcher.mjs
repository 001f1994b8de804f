// node scripts/build-launcher.mjs [TARGET]
// Packs runtimes/launcher into one executable zip file. The same sources give the same bytes, and a file that is up to
// date is left alone. Entries are stored, not compressed, so that Python needs no zlib to start.
import { chmodSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const launcher = join(dirname(fileURLToPath(import.meta.url)), "..", "runtimes", "launcher");
const target = process.argv[2] ?? join(launcher, "dist", "wf-launcher.pyz");
const SHEBANG = "#!/usr/bin/env python3\n";
const DOS_DATE_1980 = 0x21;
const UTF8_NAMES = 0x0800;

const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc;
});

function crc32(content) {
  let crc = 0xffffffff;
  for (const byte of content) crc = crcTable[(crc ^ byte) & 0xff] ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}

function sources() {
  const modules = readdirSync(join(launcher, "wf_launcher"), { recursive: true }).filter((name) =>
    name.endsWith(".py"),
  );
  return ["__main__.py", ...modules.sort().map((name) => `wf_launcher/${name}`)];
}

/** The fields that a local header and a central directory entry share. */
function entryFields(name, content) {
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(20, 0);
  fields.writeUInt16LE(UTF8_NAMES, 2);
  fields.writeUInt16LE(DOS_DATE_1980, 8);
  fields.writeUInt32LE(crc32(content), 10);
  fields.writeUInt32LE(content.length, 14);
  fields.writeUInt32LE(content.length, 18);
  fields.writeUInt16LE(Buffer.byteLength(name), 22);
  return fields;
}

function pack(names) {
  const parts = [Buffer.from(SHEBANG)];
  const directory = [];
  let offset = SHEBANG.length;
  for (const name of names) {
    const content = readFileSync(join(launcher, name));
    const fields = entryFields(name, content);
    const local = Buffer.concat([Buffer.from("PK\x03\x04", "latin1"), fields, Buffer.from(name), content]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE((0o100644 << 16) >>> 0, 6);
    tail.writeUInt32LE(offset, 10);
    directory.push(Buffer.from("PK\x01\x02\x14\x03", "latin1"), fields, tail, Buffer.from(name));
    parts.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", 0, "latin1");
  end.writeUInt16LE(names.length, 8);
  end.writeUInt16LE(names.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, central, end]);
}

function current() {
  try {
    return readFileSync(target);
  } catch {
    return Buffer.alloc(0);
  }
}

const packed = pack(sources());
if (!packed.equals(current())) {
  mkdirSync(dirname(target), { recursive: true });
  const temporary = `${target}.${process.pid}`;
  writeFileSync(temporary, packed);
  chmodSync(temporary, 0o755);
  renameSync(temporary, target);
}
