import { COMMANDS, EXIT_CODES, GLOBAL_OPTIONS, GROUPS, showArgument } from "../../packages/cli/dist/index.js";

/** docs/cli.md: everything that `wf --help` and the help of each command say. */
export function cliPage() {
  return [
    "<!-- Generated from packages/cli/src/command-tree.ts by `pnpm docs`. -->",
    "",
    "# The commands of wf",
    "",
    "`RUN` is a run's id, the start of one, or `last`; where it stands in brackets it may be left out and means the last run.",
    "",
    ...GROUPS.flatMap(overview),
    "## Options of every command",
    "",
    ...optionTable(GLOBAL_OPTIONS),
    "",
    'With `--json`, an error is also one line on standard output: `{"type":"error","code":…,"message":…,"where":…,"hint":…}`.',
    "",
    "## Exit codes",
    "",
    "| code | meaning |",
    "|---:|---|",
    ...EXIT_CODES.map(([code, meaning]) => `| ${code} | ${meaning} |`),
    "",
    "Which error gives which code stands in [errors.md](errors.md).",
    "",
    ...shown().flatMap(command),
  ].join("\n");
}

function shown() {
  return COMMANDS.filter(({ isHidden }) => !isHidden);
}

function overview(group) {
  const commands = shown().filter((spec) => spec.group === group);
  return [
    `**${group}**`,
    "",
    ...commands.map((spec) => `- [\`${usage(spec)}\`](#wf-${spec.name}): ${spec.summary}`),
    "",
  ];
}

function command(spec) {
  const { name, summary, details, args, options, example } = spec;
  return [
    `## wf ${name}`,
    "",
    `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.${details === undefined ? "" : ` ${details}`}`,
    "",
    "```sh",
    `wf ${usage(spec)}${options.length > 0 ? " [options]" : ""}`,
    "```",
    "",
    ...(args.length > 0
      ? [
          ...table(
            ["argument", "meaning"],
            args.map((arg) => [arg.name, arg.summary]),
          ),
          "",
        ]
      : []),
    ...(options.length > 0 ? [...optionTable(options), ""] : []),
    `Example: \`${example}\``,
    "",
  ];
}

function usage({ name, args }) {
  return [name, ...args.map(showArgument)].join(" ");
}

function optionTable(options) {
  return table(
    ["option", "meaning"],
    options.map(({ flags, summary, choices }) => [flags, choices ? `${summary}: ${choices.join(", ")}` : summary]),
  );
}

function table(head, rows) {
  const line = (cells) => `| ${cells.join(" | ")} |`;
  return [
    line(head),
    "|---|---|",
    ...rows.map(([term, meaning]) => line([`\`${term}\``, meaning.replaceAll("|", "\\|")])),
  ];
}
