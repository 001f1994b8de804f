import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const PACKAGE = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;
const LICENCE = /^(licen[cs]e|copying|notice)/i;
const RULE = `\n${"-".repeat(100)}\n\n`;

/** The licences of whatever was bundled, as they ask for. `folder` is what esbuild's paths are relative to. */
export function thirdPartyNotices({ inputs }, folder) {
  const paths = Object.keys(inputs).map((input) => PACKAGE.exec(resolve(folder, input))?.[0]);
  const notices = [...new Set(paths.filter((path) => path !== undefined))].map(noticeOf);
  return `wf contains these packages, under their own licences.\n${RULE}${notices.sort().join(RULE)}`;
}

function noticeOf(path) {
  const { name, version, license } = JSON.parse(readFileSync(join(path, "package.json"), "utf8"));
  const files = readdirSync(path).filter((file) => LICENCE.test(file));
  if (files.length === 0) throw new Error(`${name} has no file with its licence (${license}), which a copy needs`);
  const texts = files.map((file) => readFileSync(join(path, file), "utf8").trim());
  return `${name} ${version} (${license})\n\n${texts.join("\n\n")}\n`;
}
