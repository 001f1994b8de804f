// Writes the picture, the views and the tables into docs/store.md, from the comments in the schema itself.
// With --check it writes nothing and fails if the page is not up to date.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Store } from "../packages/store/dist/index.js";

const page = fileURLToPath(new URL("../docs/store.md", import.meta.url));

const folder = mkdtempSync(join(tmpdir(), "wf-store-docs-"));
const store = Store.open(folder);
const written = readFileSync(page, "utf8");
const fresh = replaceBlocks(written, {
  picture: picture(),
  views: describe("view"),
  tables: describe("table"),
});
store.close();
rmSync(folder, { recursive: true });

if (fresh === written) process.exit(0);
if (process.argv.includes("--check")) {
  console.error("docs/store.md is not up to date with the schema: run `node scripts/store-docs.mjs`.");
  process.exit(1);
}
writeFileSync(page, fresh);

function replaceBlocks(text, blocks) {
  return Object.entries(blocks).reduce((result, [name, content]) => {
    const [start, end] = [`<!-- generated: ${name} -->`, `<!-- end of ${name} -->`];
    const from = result.indexOf(start);
    const to = result.indexOf(end);
    if (from < 0 || to < from) throw new Error(`docs/store.md has no block ${name}`);
    return `${result.slice(0, from)}${start}\n${content}\n${result.slice(to)}`;
  }, text);
}

function describe(type) {
  return entities(type)
    .map(({ name, purpose, columns }) => {
      const rows = columns.map((column) => `| \`${column.name}\` | ${column.type} | ${column.meaning} |`);
      return [`### ${name}`, "", purpose, "", "| column | type | meaning |", "|---|---|---|", ...rows, ""].join("\n");
    })
    .join("\n");
}

/** Keys only: the columns stand in the tables below it. */
function picture() {
  const lines = ["```mermaid", "erDiagram"];
  for (const { name, columns, references } of entities("table")) {
    const isWholeKey = ({ column }) => columns.every(({ name, key }) => key.startsWith("PK") === (name === column));
    for (const reference of references) {
      const many = isWholeKey(reference) ? "o|" : "o{";
      lines.push(`  ${reference.target} ||--${many} ${name} : ${reference.column}`);
    }
    lines.push(`  ${name} {`);
    for (const column of columns.filter(({ key }) => key !== "")) {
      lines.push(`    ${column.type} ${column.name} ${column.key}`);
    }
    lines.push("  }");
  }
  return [...lines, "```"].join("\n");
}

function entities(type) {
  const { rows } = store.query(
    `SELECT name, sql FROM sqlite_master WHERE type = '${type}' AND name NOT LIKE 'sqlite_%' ORDER BY rowid`,
  );
  return rows.map(([name, sql]) => {
    const [head, ...body] = sql.split("\n");
    const meanings = meaningsOf(type, body);
    const references = store
      .query(`SELECT "table", "from" FROM pragma_foreign_key_list('${name}') ORDER BY id DESC`)
      .rows.map(([target, column]) => ({ target, column }));
    const unique = new Set(
      store
        .query(
          `SELECT part.name FROM pragma_index_list('${name}') AS list JOIN pragma_index_info(list.name) AS part
         WHERE list.origin = 'u'`,
        )
        .rows.flat(),
    );
    const columns = store.query(`SELECT name, type, pk FROM pragma_table_info('${name}')`).rows.map((row) => {
      const [column, columnType, pk] = row;
      const meaning = meanings.get(column);
      if (meaning === undefined) throw new Error(`${name}.${column} has no comment in the migration`);
      const isReference = references.some((reference) => reference.column === column);
      const key = [pk > 0 ? "PK" : "", isReference ? "FK" : "", unique.has(column) ? "UK" : ""]
        .filter(Boolean)
        .join(", ");
      return { name: column, type: (columnType || "any").toLowerCase(), meaning, key };
    });
    return { name, purpose: head.split(" -- ")[1], columns, references };
  });
}

/** A table's column is the first word of its line; a view's is the word after AS. */
function meaningsOf(type, body) {
  const end = body.findIndex((line) => line.startsWith("FROM "));
  const pattern = type === "table" ? /^ {2}(\w+) .*? -- (.*)$/ : /\bAS (\w+),? -- (.*)$/;
  const found = (end < 0 ? body : body.slice(0, end)).map((line) => pattern.exec(line)).filter(Boolean);
  return new Map(found.map(([, column, meaning]) => [column, meaning]));
}
